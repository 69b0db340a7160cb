/**
 * Reads a folder of captured transcripts and compares every outcome with the expected one. `node
 * scripts/eval-transcripts.ts FOLDER`: FOLDER/projects contains the transcripts, FOLDER/expected.json `{calls: {ID:
 * {failed, phase?, category?, also_acceptable?}}}`. Exits with 1 when one differs.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type CallRecord, recordStatus } from "../src/core/model/call-record.ts";
import { findTranscripts } from "../src/ingest/import/find-transcripts.ts";
import { TranscriptImport } from "../src/ingest/import/import-files.ts";
import { CallObserver } from "../src/ingest/observe/observe-call.ts";
import { createTestStore } from "../test/support/test-store.ts";

interface Expected {
  readonly failed: boolean;
  readonly phase?: string;
  readonly category?: string;
  readonly also_acceptable?: readonly string[];
}

const folder = process.argv[2];
if (folder === undefined) {
  console.error("usage: node scripts/eval-transcripts.ts FOLDER");
  process.exit(2);
}
const { calls } = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as {
  readonly calls: Readonly<Record<string, Expected>>;
};
const store = createTestStore();
const { files } = await findTranscripts([join(folder, "projects")]);
await new TranscriptImport({
  observer: new CallObserver({ capture: "none", salt: "" }),
  async send(observations) {
    const lines = observations.map((one) => `${JSON.stringify(one)}\n`).join("");
    await store.apply({ journal: "eval", position: "1", live: false, lines });
  },
  project: "default",
  now: Date.now,
}).importAll(files);

function differs(record: CallRecord): boolean {
  const expected = calls[record.key.tool_call_id];
  if (expected === undefined) return true;
  const outcome = record.facts.result?.value.outcome;
  if ((recordStatus(record) === "failed") !== expected.failed) return true;
  if (!expected.failed) return false;
  const categories = [expected.category, ...(expected.also_acceptable ?? [])];
  return outcome?.phase !== expected.phase || !categories.includes(outcome?.category);
}

const records = store.records();
const wrong = records.filter(differs);
const missing = Object.keys(calls).filter((id) => !records.some(({ key }) => key.tool_call_id === id));
const phases = new Map<string, number>();
for (const record of records) {
  const { status, phase = "" } = record.facts.result?.value.outcome ?? {};
  const key = status === "failed" ? `failed in ${phase}` : (status ?? "open");
  phases.set(key, (phases.get(key) ?? 0) + 1);
}
console.log(
  `${records.length} calls of ${Object.keys(calls).length}: ${[...phases].map(([key, count]) => `${count} ${key}`).join(", ")}`,
);
for (const record of wrong)
  console.log(`differs: ${record.key.tool_call_id} ${JSON.stringify(record.facts.result?.value.outcome)}`);
for (const id of missing) console.log(`missing: ${id}`);
process.exitCode = wrong.length + missing.length === 0 && records.length === Object.keys(calls).length ? 0 : 1;
