/**
 * Measures the sources of Claude Code on captures of it: `node scripts/eval-hooks.ts <folder> [--rounds 50]`. The
 * folder contains hook payloads (`hooks*.jsonl`), follow-up requests (`followups*.jsonl`), transcripts (`projects/`)
 * and the expected outcomes (`expected.json`). Hooks and requests go through the real server; then each source alone,
 * and all of them in any order and with repeats, must give the same records.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createLogger } from "../src/cli/logger.ts";
import { startServer, type ToolmendServer } from "../src/cli/toolmend-server.ts";
import { readTranscript } from "../src/hook/transcripts/read-transcript.ts";
import { CallObserver } from "../src/ingest/observe/observe-call.ts";
import { createTestStore } from "../test/support/test-store.ts";

interface Expected {
  readonly failed: boolean;
  readonly phase: string;
  readonly category?: string;
  readonly also_acceptable?: readonly string[];
}

interface FollowUp {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly model: string;
  readonly tool_use: readonly object[];
  readonly tool_result: readonly object[];
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "50" } },
});
const folder = positionals[0];
if (folder === undefined) throw new Error("Usage: node scripts/eval-hooks.ts <folder> [--rounds 50]");
const expected = (
  JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as { calls: Record<string, Expected> }
).calls;

function linesOf(name: RegExp): readonly string[] {
  return readdirSync(folder as string)
    .filter((file) => name.test(file))
    .sort()
    .flatMap((file) => readFileSync(join(folder as string, file), "utf8").split("\n"))
    .filter((line) => line !== "");
}

/** The lines that a server writes to its journal while `work` runs. */
async function journalOf(feed: (server: ToolmendServer) => Promise<void>): Promise<readonly string[]> {
  const upstream = createServer((request, response) => {
    request.resume().on("end", () => {
      const answer = {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "m",
        content: [],
        stop_reason: "end_turn",
      };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const url = new URL(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}`);
  const data = mkdtempSync(join(tmpdir(), "toolmend-eval-"));
  const server = await startServer({
    ...{ host: "127.0.0.1", port: 0, data, capture: "errors" as const, allowedHosts: [] },
    upstreams: new Map([["anthropic", { name: "anthropic", url }]]),
    logger: createLogger("error"),
  });
  await feed(server);
  await server.close();
  upstream.close();
  const journal = join(data, "journal");
  const lines = readdirSync(journal)
    .filter((file) => /^\d+\.jsonl$/.test(file))
    .flatMap((file) => readFileSync(join(journal, file), "utf8").split("\n"))
    .filter((line) => line !== "");
  rmSync(data, { recursive: true });
  return lines;
}

async function post(url: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  await answer.arrayBuffer();
}

const hooks = (without: readonly string[]): Promise<readonly string[]> =>
  journalOf(async ({ url }) => {
    for (const line of linesOf(/^hooks.*\.jsonl$/)) {
      const { hook_event_name: event } = JSON.parse(line) as { hook_event_name: string };
      if (!without.includes(event)) await post(`${url}/hooks/claude-code`, line);
    }
  });

/** Each request resends the history of its thread, as the client does. */
const followUps = (): Promise<readonly string[]> =>
  journalOf(async ({ url }) => {
    const threads = new Map<string, object[]>();
    for (const line of linesOf(/^followups.*\.jsonl$/)) {
      const request = JSON.parse(line) as FollowUp;
      const thread = JSON.stringify(request.headers);
      const messages = threads.get(thread) ?? [{ role: "user", content: "go" }];
      messages.push({ role: "assistant", content: request.tool_use }, { role: "user", content: request.tool_result });
      threads.set(thread, messages);
      const body = { model: request.model, max_tokens: 10, messages };
      await post(`${url}${request.path}`, JSON.stringify(body), request.headers);
    }
  });

async function transcripts(): Promise<readonly string[]> {
  const observer = new CallObserver({ capture: "errors", salt: "eval" });
  const lines: string[] = [];
  const projects = join(folder as string, "projects");
  for (const name of readdirSync(projects, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".jsonl")) continue;
    const context = { project: "default", seenAt: 1, isLive: () => false };
    for await (const { rawObservations: sightings } of readTranscript({ path: join(projects, name), context })) {
      for (const one of sightings)
        lines.push(JSON.stringify(one.kind === "call" ? observer.observe(one.call) : one.observation));
    }
  }
  return lines;
}

interface Verdict {
  readonly failed: number;
  readonly ok: number;
  readonly phases: string;
  readonly records: number;
  readonly wrong: readonly string[];
}

async function verdictOn(lines: readonly string[]): Promise<Verdict> {
  const store = createTestStore();
  for (const line of lines) await store.apply({ journal: "j", position: "1", live: true, lines: `${line}\n` });
  const wrong: string[] = [];
  const phases: Record<string, number> = { run: 0, call: 0, gate: 0 };
  let [failed, ok] = [0, 0];
  for (const record of store.records()) {
    const { status, phase = "none", category = "none" } = record.facts.result?.value.outcome ?? {};
    const want = expected[record.key.tool_call_id];
    if (status === "failed") {
      failed += 1;
      phases[phase] = (phases[phase] ?? 0) + 1;
    } else if (status === "ok") ok += 1;
    const right =
      want?.failed === true
        ? status === "failed" &&
          phase === want.phase &&
          [want.category, ...(want.also_acceptable ?? [])].includes(category)
        : status === "ok";
    if (!right) wrong.push(`${record.key.tool_call_id}: ${status} ${phase} ${category}`);
  }
  return { failed, ok, phases: Object.values(phases).join("/"), records: store.records().length, wrong };
}

function mixed<T>(items: readonly T[]): T[] {
  const all = [...items, ...items];
  for (let at = all.length - 1; at > 0; at -= 1) {
    const other = Math.floor(Math.random() * (at + 1));
    [all[at], all[other]] = [all[other] as T, all[at] as T];
  }
  return all;
}

const channels = {
  "hooks, with PreToolUse": await hooks([]),
  "hooks, as installed": await hooks(["PreToolUse"]),
  transcript: await transcripts(),
  "follow-up requests": await followUps(),
};
let failures = 0;
const show = (name: string, { failed, ok, phases, records, wrong }: Verdict): void => {
  failures += wrong.length;
  process.stdout.write(`${name.padEnd(34)} ${failed} failed, ${ok} ok, ${records} records, run/call/gate ${phases}\n`);
  for (const one of wrong) process.stdout.write(`  wrong: ${one}\n`);
};
for (const [name, lines] of Object.entries(channels)) show(name, await verdictOn(lines));
const all = Object.values(channels).flat();
show("all together", await verdictOn(all));
const rounds = Number(values.rounds);
let worst: Verdict | undefined;
for (let round = 0; round < rounds; round += 1) {
  const verdict = await verdictOn(mixed(all));
  if (worst === undefined || verdict.wrong.length > worst.wrong.length || verdict.records > worst.records)
    worst = verdict;
}
if (worst !== undefined) show(`worst of ${rounds} orders, each twice`, worst);
process.exitCode = failures === 0 ? 0 : 1;
