import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { callObservation, FAILED, lines, OK, result } from "../support/observations.ts";
import { getJson, startInFrontOf, temporaryFolder } from "../support/running.ts";
import { closeAfterEach } from "../support/test-resources.ts";

const resources = closeAfterEach();

function callLine(n: number): object {
  return callObservation({
    tool_call_id: `toolu_poison${String(n).padStart(8, "0")}`,
    result: result(`text ${n}`, n % 2 === 0 ? OK : FAILED),
  });
}

/** Lines that a bug, another version or a manual edit may leave. */
const POISON = [
  "not JSON at all",
  '{"v":1,"kind":"call"',
  "null",
  "[]",
  '{"v":2}',
  JSON.stringify({ ...callLine(90), kind: "gossip" }),
  JSON.stringify({ ...callLine(91), session_id: "" }),
  JSON.stringify({ ...callLine(92), occurred_at: -1 }),
  JSON.stringify({ ...callLine(93), occurred_at: "noon" }),
  JSON.stringify({ ...callLine(94), model: { name: "m" } }),
  JSON.stringify({ ...callLine(95), place: { kind: "history", conversation: "c1", n: -1 } }),
  JSON.stringify({ ...callLine(96), result: { hash: "h", size_bytes: 1, outcome: { status: "maybe" } } }),
  '{"__proto__":{"v":1}}',
  "\u0000\u0001\u0002",
] as const;

it("journal lines that cannot be applied go to journal/rejected.jsonl with their reason, and the rest is stored", async () => {
  const data = temporaryFolder();
  await resources.open({ close: async () => rmSync(data, { recursive: true, force: true }) });
  const journal = join(data, "journal");
  mkdirSync(journal, { recursive: true });
  // Valid lines before, between and after.
  const segment =
    POISON.map((poison, n) => `${lines(callLine(n))}${poison}\n`).join("") + lines(callLine(POISON.length));
  writeFileSync(join(journal, "00000001.jsonl"), segment);

  const running = await resources.open(startInFrontOf("http://127.0.0.1:1", { data }));
  await running.server.drain();
  expect(await running.server.store.summary({})).toMatchObject({ calls: POISON.length + 1 });
  const rejected = readFileSync(join(journal, "rejected.jsonl"), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { line: string; reason: string });
  expect(rejected.map(({ line }) => line)).toEqual(POISON);
  for (const { reason } of rejected) expect(reason).not.toBe("");
  const { status } = await getJson<{ status: object }>(`${running.url}/api/summary`);
  expect(status).toMatchObject({ rejected: POISON.length, store_problem: null, unapplied_bytes: 0 });
  expect(await (await fetch(`${running.url}/metrics`)).text()).toContain(
    `toolmend_ingest_rejected_total ${POISON.length}\n`,
  );
  expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
  expect(existsSync(join(journal, "00000001.jsonl"))).toBe(true);
});

it("a valid observation that still breaks the store does not block the lines after it", async () => {
  const data = temporaryFolder();
  await resources.open({ close: async () => rmSync(data, { recursive: true, force: true }) });
  const journal = join(data, "journal");
  mkdirSync(journal, { recursive: true });
  const strange = [
    { ...callLine(1), agent_id: "\ud800" },
    { ...callLine(2), name: "x".repeat(100_000) },
    { ...callLine(3), tool_call_id: "\u0000" },
    { ...callLine(4), arguments: { fingerprint: "f", keys: null, resources: null, size_bytes: 1 } },
    { ...callLine(5), result: { hash: "h", size_bytes: 1e308, outcome: { status: "failed", category: "nonsense" } } },
    { ...callLine(6), place: { kind: "known", place: "nowhere" } },
    { ...callLine(7), occurred_at: 8.63e15 },
    { ...callLine(8), place: { kind: "history", conversation: "c1", n: 1e300 } },
  ];
  writeFileSync(join(journal, "00000001.jsonl"), lines(...strange, callLine(100)));
  const running = await resources.open(startInFrontOf("http://127.0.0.1:1", { data }));
  await running.server.drain();
  const { status } = await getJson<{ status: object }>(`${running.url}/api/summary`);
  expect(status).toMatchObject({ store_problem: null, unapplied_bytes: 0 });
  const events = await running.server.store.events(0, 1000);
  expect(events.some(({ line }) => line.includes("toolu_poison00000100"))).toBe(true);
});
