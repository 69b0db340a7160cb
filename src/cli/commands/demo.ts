import { setTimeout as wait } from "node:timers/promises";
import { codeOf } from "../../core/model/errors.ts";
import { present } from "../../core/model/narrow.ts";
import { startDemoUpstream } from "../../demo/demo-upstream.ts";
import { demoHistory } from "../../demo/history.ts";
import { Ledger } from "../../demo/ledger.ts";
import { createPace } from "../../demo/pace.ts";
import { type AgentPlan, demoPlans, LIVE_AGENTS } from "../../demo/plan.ts";
import { runAgent } from "../../demo/run-agent.ts";
import { commandLine } from "../command-line.ts";
import { readConfig, secondChanceOf } from "../config.ts";
import { clearDemoFolder } from "../demo-folder.ts";
import { CliError } from "../errors.ts";
import type { Io } from "../io.ts";
import { createLogger } from "../logger.ts";
import { demoDataPath } from "../open-reader.ts";
import type { ServerOptions } from "../server/server-options.ts";
import { startServer } from "../toolmend-server.ts";
import { reportCommand } from "./report.ts";
import { stopSignal } from "./start.ts";

export interface DemoFlags {
  readonly port?: string;
  readonly data?: string;
  readonly once?: boolean;
}

/** How long a model takes to respond: in the first round, whose report the user waits for, and later. */
const THINK_MS = { first: [250, 800], later: [1200, 4500] } as const;
/** How long the next agent waits. */
const PAUSE_MS = 3000;

/** Sends generated history through `/api/ingest`, then runs scripted agents through the real proxy until stopped. */
export async function demoCommand(flags: DemoFlags, io: Io): Promise<number> {
  const config = await readConfig(
    { data: flags.data ?? demoDataPath(), ...(flags.port !== undefined && { port: flags.port }) },
    io.environment,
  );
  const { port, data, secondChance } = config;
  const round = Math.floor(io.now() / 1000).toString(36);
  let plans: readonly AgentPlan[] = demoPlans(round);
  const stopping = flags.once === true ? new Promise<never>(() => undefined) : stopSignal();
  let thinkMs: readonly [number, number] = THINK_MS.first;
  const pace = flags.once === true ? undefined : createPace(() => thinkMs, stopping, Math.random);
  const upstream = await startDemoUpstream(() => plans, pace?.think, true);
  const provider = (name: string, path: string): [string, { name: string; url: URL }] => [
    name,
    { name, url: new URL(path, upstream.url) },
  ];
  clearDemoFolder(data);
  const options: ServerOptions = {
    host: "127.0.0.1",
    port,
    data,
    upstreams: new Map([provider("anthropic", "/"), provider("openai", "/v1")]),
    // All data is generated, so all of it may be shown.
    capture: "full",
    allowedHosts: [],
    secondChance: secondChanceOf({ ...config, secondChance: { ...secondChance, mode: "on" } }),
    // Repaired calls are logged as warnings; in the demo they are expected.
    logger: createLogger("error"),
  };
  const server = await startServer(options)
    .catch((error: unknown) => {
      // Only the default port is replaced; a port that the user chose is not.
      if (flags.port !== undefined || !isPortInUse(error)) throw error;
      return startServer({ ...options, port: 0 });
    })
    .catch(async (error: unknown) => {
      // The scripted upstream would otherwise keep the process alive after a failed start.
      await upstream.close();
      throw error;
    });
  try {
    const moved = server.port === port ? "" : ` (port ${port} is in use)`;
    io.out(
      `Toolmend demo: a week of generated history, then scripted agents through the real proxy\n${flags.once === true ? "" : `  Dashboard  ${server.url}/${moved}\n`}  Data       ${data}\n${flags.once === true ? "" : "The first agents take about 15 seconds; a report follows.\n"}`,
    );
    const ledger = new Ledger();
    await sendHistory(server.url, demoHistory(io.now(), ledger));
    // With a pace, all run together: they take as long as the slowest.
    if (pace === undefined) for (const plan of plans) await runAgent(plan, server.url, ledger);
    else await Promise.all(plans.map((plan) => runAgent(plan, server.url, ledger, pace)));
    await server.drain();
    await reportCommand({ data }, io);
    if (flags.once === true) {
      io.out(
        `\nThe same report again: ${commandLine("report", { data })}\nThe dashboard, with agents that keep running: ${commandLine("demo", flags)}\n`,
      );
      return 0;
    }
    io.out(
      `\nThe agents run until you press Ctrl-C. For the same report in another terminal: ${commandLine("report", { data })}\n`,
    );
    thinkMs = THINK_MS.later;
    const stop = stopping.then(() => "stop" as const);
    for (let next = 1; (await Promise.race([stop, wait(PAUSE_MS, "go" as const)])) === "go"; next += 1) {
      plans = demoPlans(`${round}-${next}`);
      const name = LIVE_AGENTS[next % LIVE_AGENTS.length];
      await runAgent(present(plans.find((plan) => plan.name === name)), server.url, ledger, pace);
    }
    return 0;
  } finally {
    await server.close();
    await upstream.close();
  }
}

function isPortInUse(error: unknown): boolean {
  return error instanceof CliError && codeOf(error.cause) === "EADDRINUSE";
}

async function sendHistory(url: string, lines: string): Promise<void> {
  const response = await fetch(`${url}/api/ingest`, {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: lines,
  });
  if (!response.ok) throw new Error(`the server rejected the generated history: ${await response.text()}`);
}
