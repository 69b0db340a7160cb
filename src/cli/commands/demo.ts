import { setTimeout as wait } from "node:timers/promises";
import { present } from "../../core/model/narrow.ts";
import { startDemoUpstream } from "../../demo/demo-upstream.ts";
import { demoHistory } from "../../demo/history.ts";
import { Ledger } from "../../demo/ledger.ts";
import { type AgentPlan, demoPlans } from "../../demo/plan.ts";
import { runAgent } from "../../demo/run-agent.ts";
import { commandLine } from "../command-line.ts";
import { readConfig } from "../config.ts";
import type { Io } from "../io.ts";
import { createLogger } from "../logger.ts";
import { demoDataPath } from "../open-reader.ts";
import { startServer } from "../toolmend-server.ts";
import { reportCommand } from "./report.ts";
import { stopSignal } from "./start.ts";

export interface DemoFlags {
  readonly port?: string;
  readonly data?: string;
  readonly once?: boolean;
}

const PAUSE_MS = 4000;

/** Sends generated history through `/api/ingest`, then runs scripted agents through the real proxy until stopped. */
export async function demoCommand(flags: DemoFlags, io: Io): Promise<number> {
  const { port, data } = readConfig(
    { data: flags.data ?? demoDataPath(), ...(flags.port !== undefined && { port: flags.port }) },
    io.environment,
  );
  const round = Math.floor(io.now() / 1000).toString(36);
  let plans: readonly AgentPlan[] = demoPlans(round);
  const upstream = await startDemoUpstream(() => plans);
  const provider = (name: string, path: string): [string, { name: string; url: URL }] => [
    name,
    { name, url: new URL(path, upstream.url) },
  ];
  const server = await startServer({
    host: "127.0.0.1",
    port,
    data,
    upstreams: new Map([provider("anthropic", "/"), provider("openai", "/v1")]),
    capture: "errors",
    allowedHosts: [],
    // Repaired calls are logged as warnings; in the demo they are expected.
    logger: createLogger("error"),
  }).catch(async (error: unknown) => {
    // The scripted upstream would otherwise keep the process alive after a failed start.
    await upstream.close();
    throw error;
  });
  try {
    io.out(
      `Toolmend demo: a week of generated history, then scripted agents through the real proxy\n  Dashboard  ${server.url}/\n  Data       ${data}\n`,
    );
    const ledger = new Ledger();
    await sendHistory(server.url, demoHistory(io.now(), ledger));
    for (const plan of plans) await runAgent(plan, server.url, ledger);
    await server.drain();
    await reportCommand({ data }, io);
    if (flags.once === true) return 0;
    io.out(
      `\nThe agents run until you press Ctrl-C. For the same report in another terminal: ${commandLine(`report --data ${data}`)}\n`,
    );
    const stopping = stopSignal().then(() => "stop" as const);
    for (let next = 1; (await Promise.race([stopping, wait(PAUSE_MS, "go" as const)])) === "go"; next += 1) {
      plans = demoPlans(`${round}-${next}`);
      await runAgent(present(plans[next % plans.length]), server.url, ledger);
    }
    return 0;
  } finally {
    await server.close();
    await upstream.close();
  }
}

async function sendHistory(url: string, lines: string): Promise<void> {
  const response = await fetch(`${url}/api/ingest`, {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: lines,
  });
  if (!response.ok) throw new Error(`the server rejected the generated history: ${await response.text()}`);
}
