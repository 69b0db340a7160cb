import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { bash, ClaudeTranscript } from "../../../test/support/claude-transcript.ts";
import { NOON } from "../../../test/support/observations.ts";
import { createTestStore } from "../../../test/support/test-store.ts";
import { CallObserver, type RawCallObservation } from "../../ingest/observe/observe-call.ts";
import { LineSplitter } from "./line-splitter.ts";
import { type Checkpoint, readTranscript, type TranscriptBatch } from "./read-transcript.ts";

const folder = mkdtempSync(join(tmpdir(), "toolmend-transcripts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const context = { project: "default", seenAt: NOON, isLive: () => false };
let files = 0;

function file(content: string | Buffer): string {
  files += 1;
  const path = join(folder, `${files}.jsonl`);
  writeFileSync(path, content);
  return path;
}

interface Whole {
  readonly calls: readonly unknown[];
  readonly broken: readonly unknown[];
  readonly lines: number;
  readonly bytes: number;
  readonly last: TranscriptBatch;
}

async function readAll(path: string, from?: Checkpoint, chunkBytes?: number): Promise<Whole> {
  const batches: TranscriptBatch[] = [];
  const options = { path, context, from, ...(chunkBytes !== undefined && { chunkBytes }) };
  for await (const batch of readTranscript(options)) batches.push(batch);
  return {
    calls: batches.flatMap(({ rawObservations }) =>
      rawObservations.map((one) => (one.kind === "call" ? one.call : one)),
    ),
    broken: batches.flatMap(({ broken }) => broken),
    lines: batches.reduce((sum, { lines }) => sum + lines, 0),
    bytes: batches.reduce((sum, { bytes }) => sum + bytes, 0),
    last: batches.at(-1) as TranscriptBatch,
  };
}

const session = (): ClaudeTranscript =>
  new ClaudeTranscript()
    .other({ type: "queue-operation", content: "größe" })
    .prompt("do it")
    .calls([bash("toolu_a"), bash("toolu_b", "echo é")], "m1")
    .ok("toolu_b")
    .failed("toolu_a", "Exit code 1")
    .calls([bash("toolu_c")], "m2")
    .failed("toolu_c", "Exit code 3");

describe("reading a transcript file", () => {
  it("gives the same observations for every chunk size", async () => {
    const path = file(session().text());
    const whole = await readAll(path);
    expect(whole.calls).toHaveLength(4);
    for (const bytes of [1, 7, 64, 1000]) {
      const { calls, lines } = await readAll(path, undefined, bytes);
      expect(calls).toEqual(whole.calls);
      expect(lines).toBe(8);
    }
  });

  it.each([
    ["gzip", gzipSync],
    ["zstd", zstdCompressSync],
  ])("accepts a compressed file: %s", async (_how, compress) => {
    const plain = await readAll(file(session().text()));
    const packed = await readAll(file(compress(Buffer.from(session().text()))));
    expect(packed.calls).toEqual(plain.calls);
    expect(packed.last.checkpoint).toBeUndefined();
  });

  it("gives the same records when it resumes after any line as when it reads the whole file", async () => {
    const lines = session().lines;
    const whole = await readAll(file(session().text()));
    const records = async (...runs: readonly (readonly unknown[])[]): Promise<unknown> => {
      const store = createTestStore();
      const observer = new CallObserver({ capture: "full", salt: "s" });
      const lines = runs.flat().map((one) => {
        const call = one as RawCallObservation;
        return JSON.stringify(
          "tool_call_id" in call ? observer.observe(call) : (one as { observation: object }).observation,
        );
      });
      await store.apply({ journal: "j", position: "1", live: false, lines: lines.join("\n") });
      return [...store.records()].sort((a, b) => (a.key.tool_call_id < b.key.tool_call_id ? -1 : 1));
    };
    const expected = await records(whole.calls);
    expect(expected).toHaveLength(3);
    for (let cut = 1; cut < lines.length; cut += 1) {
      const path = file(`${lines.slice(0, cut).join("\n")}\n`);
      const first = await readAll(path);
      appendFileSync(path, `${lines.slice(cut).join("\n")}\n`);
      // Checkpoints are stored as JSON.
      const from = JSON.parse(JSON.stringify(first.last.checkpoint)) as Checkpoint;
      const second = await readAll(path, from);
      expect(await records(first.calls, second.calls)).toEqual(expected);
      expect(await records(second.calls, first.calls)).toEqual(expected);
    }
  });

  it("resumes after a call without a result once the next turn has started", async () => {
    const transcript = new ClaudeTranscript().calls([bash("toolu_open")], "m1").calls([bash("toolu_b")], "m2");
    const before = await readAll(file(transcript.text()));
    expect(before.last.checkpoint).toMatchObject({ lines: 1, offset: (transcript.lines[0] as string).length + 1 });
    transcript.ok("toolu_b");
    const after = await readAll(file(transcript.text()));
    expect(after.last.checkpoint).toMatchObject({ lines: 3, offset: transcript.text().length });
  });

  it("stores no text of the transcript in a checkpoint", async () => {
    const path = file(
      new ClaudeTranscript()
        .prompt("SECRET")
        .calls([bash("toolu_a", "SECRET")])
        .ok("toolu_a", "SECRET")
        .text(),
    );
    const { last } = await readAll(path);
    expect(last.checkpoint).toBeDefined();
    expect(JSON.stringify(last.checkpoint)).not.toContain("SECRET");
  });

  it("reports broken lines and reads all others", async () => {
    const [a, b, ...rest] = session().lines as [string, string, ...string[]];
    const broken = [
      a,
      '{"type":"user","mess',
      b,
      "null",
      "",
      "  ",
      '{"type":"progress"',
      ...rest,
      "[1]",
      "\u0000\u0000",
    ];
    const { calls, broken: found, lines } = await readAll(file(`${broken.join("\r\n")}\n`));
    expect(calls).toEqual((await readAll(file(session().text()))).calls);
    expect(lines).toBe(15);
    expect(found).toEqual([
      { line: 2, reason: "not a JSON object" },
      { line: 4, reason: "incomplete JSON object" },
      { line: 7, reason: "incomplete JSON object" },
      { line: 14, reason: "incomplete JSON object" },
      { line: 15, reason: "incomplete JSON object" },
    ]);
  });

  it("leaves an incomplete last line for the next run", async () => {
    const text = session().text();
    const path = file(text.slice(0, -20));
    const first = await readAll(path);
    expect(first.last).toMatchObject({ unfinished: true });
    expect(first.broken).toEqual([]);
    appendFileSync(path, text.slice(-20));
    const second = await readAll(path, first.last.checkpoint);
    expect(second.last.unfinished).toBe(false);
    expect(second.calls.at(-1)).toMatchObject({ tool_call_id: "toolu_c", result: { content: "Exit code 3" } });
  });

  it("reads a complete last line without a newline", async () => {
    const { calls, last } = await readAll(file(session().text().trimEnd()));
    expect(calls).toHaveLength(4);
    expect(last.unfinished).toBe(false);
  });

  it.each([
    ["empty", ""],
    ["not JSON", "hello\nworld\n"],
    ["of another program", '{"level":30,"time":1,"msg":"hi"}\n'.repeat(1000)],
  ])("finds no calls in a file that is not a transcript: %s", async (_what, content) => {
    const { calls, last } = await readAll(file(content));
    expect(calls).toEqual([]);
    expect(last.checkpoint).toBeUndefined();
  });
});

describe("splitting lines", () => {
  it("skips a line over the limit and reads the next one", () => {
    const splitter = new LineSplitter(0, 10);
    const lines = [..."0123456789\n0123456789A\nok\nrest"].flatMap((byte) => splitter.push(Buffer.from(byte)));
    expect(lines.map(({ bytes, start, end }) => [bytes?.toString(), start, end])).toEqual([
      ["0123456789", 0, 11],
      [undefined, 11, 23],
      ["ok", 23, 26],
    ]);
    expect(splitter.remainder()).toMatchObject({ start: 26, end: 30 });
  });
});
