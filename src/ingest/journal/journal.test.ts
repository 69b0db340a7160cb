import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Journal, type JournalOptions, type Position, parsePosition, positionText, SpoolFullError } from "./journal.ts";

let folder: string;
const opened: Journal[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-journal-"));
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const journal of opened.splice(0)) await journal.close();
  rmSync(folder, { recursive: true, force: true });
});

function start(options: Partial<JournalOptions> = {}): Journal {
  const journal = new Journal({ folder, batchMs: 1, ...options });
  opened.push(journal);
  return journal;
}
const text = (segment: number): string =>
  readFileSync(join(folder, `${String(segment).padStart(8, "0")}.jsonl`), "utf8");
const segments = (): string[] => readdirSync(folder).filter((name) => name.endsWith(".jsonl"));

async function readAll(journal: Journal, from: Position = { segment: 1, offset: 0 }): Promise<string> {
  let all = "";
  for (let at = from; ; ) {
    const chunk = await journal.read(at);
    if (chunk === undefined) return all;
    all += chunk.lines.toString("utf8");
    at = chunk.next;
  }
}

describe("appending to the journal", () => {
  it("acknowledges lines when they are in the file", async () => {
    const journal = start();
    await journal.append("one\n");
    expect(text(1)).toBe("one\n");
    await journal.append("two\nthree\n");
    expect(text(1)).toBe("one\ntwo\nthree\n");
  });

  it("acknowledges lines when they are in the file, with fsync", async () => {
    await start({ durable: true }).append("one\n");
    expect(text(1)).toBe("one\n");
  });

  it("writes lines in batches and keeps their order", async () => {
    const journal = start({ batchMs: 20 });
    const done = Promise.all(Array.from({ length: 200 }, (_, at) => journal.append(`${at}\n`)));
    expect(segments()).toEqual([]);
    await done;
    expect(text(1)).toBe(Array.from({ length: 200 }, (_, at) => `${at}\n`).join(""));
  });

  it("creates files with owner-only access", async () => {
    await start().append("one\n");
    expect(statSync(join(folder, "00000001.jsonl")).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "id")).mode & 0o777).toBe(0o600);
  });

  it("writes all waiting lines when one of them may wait no longer", async () => {
    const journal = start({ batchMs: 60_000 });
    await Promise.all([journal.append("one\n"), journal.append("two\n", 0), journal.append("three\n")]);
    expect(text(1)).toBe("one\ntwo\nthree\n");
  });

  it("writes pending lines immediately on flush and on close", async () => {
    const journal = start({ batchMs: 60_000 });
    const acknowledged = journal.append("one\n");
    await journal.flush();
    await acknowledged;
    const last = journal.append("two\n");
    await journal.close();
    await last;
    expect(text(1)).toBe("one\ntwo\n");
  });
});

describe("journal segments", () => {
  it("rotates segments by size, never within a batch", async () => {
    const journal = start({ segmentBytes: 10 });
    for (const line of ["aaaa\n", "bbbb\n", "cccc\n", "a line longer than a segment\n", "d\n"])
      await journal.append(line);
    expect([1, 2, 3, 4].map(text)).toEqual(["aaaa\nbbbb\n", "cccc\n", "a line longer than a segment\n", "d\n"]);
    expect(await readAll(journal)).toBe("aaaa\nbbbb\ncccc\na line longer than a segment\nd\n");
  });

  it("never appends to segments of an earlier process, and keeps the journal's id", async () => {
    const first = start();
    await first.append("old\n");
    await first.close();
    const second = start();
    await second.append("new\n");
    expect([text(1), text(2)]).toEqual(["old\n", "new\n"]);
    expect(second.id).toBe(first.id);
    expect(second.start).toEqual({ segment: 2, offset: 0 });
    expect(await readAll(second)).toBe("old\nnew\n");
  });

  it("deletes segments once all their lines are applied, except the current one", async () => {
    const journal = start({ segmentBytes: 4 });
    for (const line of ["one\n", "two\n", "six\n"]) await journal.append(line);
    await journal.applied({ segment: 2, offset: 4 }, 8);
    expect(segments()).toEqual(["00000002.jsonl", "00000003.jsonl"]);
    await journal.applied({ segment: 3, offset: 4 }, 4);
    expect(segments()).toEqual(["00000003.jsonl"]);
    expect(journal.unappliedBytes).toBe(0);
  });

  it("removes segments once all their lines are stored, and continues their numbering after a restart", async () => {
    const journal = start({ segmentBytes: 4 });
    for (const line of ["one\n", "two\n"]) await journal.append(line);
    await journal.startSegment();
    await journal.append("six\n");
    expect(await journal.removeStored({ segment: 1, offset: 4 })).toBe(1);
    expect(segments()).toEqual(["00000002.jsonl", "00000003.jsonl"]);
    expect(await journal.removeStored({ segment: 2, offset: 3 })).toBe(0);
    await journal.startSegment();
    expect(await journal.removeStored({ segment: 3, offset: 4 })).toBe(2);
    expect(segments()).toEqual(["00000004.jsonl"]);
    await journal.close();
    const next = start();
    await next.append("ten\n");
    expect(next.start).toEqual({ segment: 5, offset: 0 });
    expect(await readAll(next, { segment: 3, offset: 4 })).toBe("ten\n");
  });

  it("keeps every line in order when segments start during appends", async () => {
    const journal = start({ batchMs: 0 });
    const appended = Array.from({ length: 50 }, (_, n) => journal.append(`${n}\n`));
    for (let n = 0; n < 3; n += 1) await journal.startSegment();
    await Promise.all(appended);
    expect(await readAll(journal)).toBe(Array.from({ length: 50 }, (_, n) => `${n}\n`).join(""));
  });

  it("ignores other files in the folder", async () => {
    writeFileSync(join(folder, "rejected.jsonl"), "{}\n");
    writeFileSync(join(folder, "notes.txt"), "x");
    const journal = start();
    await journal.append("one\n");
    expect(await readAll(journal)).toBe("one\n");
  });
});

describe("a partial last line of the journal", () => {
  it("skips a partial line of an earlier process, but not the lines around it", async () => {
    writeFileSync(join(folder, "00000001.jsonl"), 'one\ntwo\n{"half":');
    const journal = start();
    await journal.append("three\n");
    expect(await readAll(journal)).toBe("one\ntwo\nthree\n");
    expect(text(1)).toBe('one\ntwo\n{"half":');
  });

  it("skips a segment that consists of a partial line", async () => {
    writeFileSync(join(folder, "00000001.jsonl"), "half");
    const journal = start();
    expect(await readAll(journal)).toBe("");
    await journal.append("whole\n");
    expect(await readAll(journal)).toBe("whole\n");
  });

  it("excludes a partial line from the backlog, because it was never acknowledged", async () => {
    writeFileSync(join(folder, "00000001.jsonl"), "one\ntwo\nhalf");
    const journal = start();
    await journal.countBacklog({ segment: 1, offset: 4 });
    expect(journal.unappliedBytes).toBe(4);
  });
});

describe("reading the journal", () => {
  it("returns pages of complete lines, also with multi-byte characters", async () => {
    const line = `${JSON.stringify({ text: "é👀".repeat(500) })}\n`;
    await start().append(line.repeat(1000));
    // A second instance: the writer would return its cached lines in one piece.
    const journal = start();
    const pages: string[] = [];
    for (let at: Position = { segment: 1, offset: 0 }; ; ) {
      const chunk = await journal.read(at);
      if (chunk === undefined) break;
      pages.push(chunk.lines.toString("utf8"));
      at = chunk.next;
    }
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.every((page) => page.endsWith("\n") && page.startsWith("{"))).toBe(true);
    expect(pages.join("")).toBe(line.repeat(1000));
  });

  it("returns a line that is longer than a page", async () => {
    const journal = start();
    const long = `${"x".repeat(3_000_000)}\n`;
    await journal.append(`short\n${long}short\n`);
    expect(await readAll(journal)).toBe(`short\n${long}short\n`);
  });

  it("returns exactly the remaining lines from any line", async () => {
    const journal = start({ segmentBytes: 12 });
    const lines = ["one\n", "two\n", "three\n", "four\n", "five\n"];
    for (const line of lines) await journal.append(line);
    let at: Position = { segment: 1, offset: 0 };
    expect(await readAll(journal, at)).toBe("one\ntwo\nthree\nfour\nfive\n");
    at = { segment: 1, offset: 4 };
    expect(await readAll(journal, at)).toBe("two\nthree\nfour\nfive\n");
    at = { segment: 2, offset: 0 };
    expect(await readAll(journal, at)).toBe("three\nfour\nfive\n");
  });

  it("returns nothing after the last line, and later lines once they are written", async () => {
    const journal = start();
    await journal.append("one\n");
    const next = (await journal.read({ segment: 1, offset: 0 }))?.next as Position;
    expect(await journal.read(next)).toBeUndefined();
    await journal.append("two\n");
    expect((await journal.read(next))?.lines.toString("utf8")).toBe("two\n");
  });

  it("never loses or repeats a line for any sequence of lines, segments and restarts", async () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.string({ unit: "grapheme-ascii", maxLength: 30 }).map((line) => `${line}\n`) },
      { weight: 1, arbitrary: fc.constant("restart" as const) },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 12 }),
        fc.integer({ min: 1, max: 60 }),
        async (steps, segmentBytes) => {
          const own = mkdtempSync(join(folder, "run-"));
          let journal = new Journal({ folder: own, batchMs: 0, segmentBytes });
          let expected = "";
          for (const one of steps) {
            if (one === "restart") {
              await journal.close();
              writeFileSync(join(own, `${String(journal.start.segment).padStart(8, "0")}.jsonl`), "half", {
                flag: "a",
              });
              journal = new Journal({ folder: own, batchMs: 0, segmentBytes });
            } else {
              await journal.append(one);
              expected += one;
            }
          }
          const read = await readAll(journal);
          await journal.close();
          expect(read.replaceAll("half", "")).toBe(expected.replaceAll("half", ""));
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe("the journal's limit of unapplied bytes", () => {
  it("rejects lines over the limit before acknowledging any, and accepts lines again once there is room", async () => {
    const journal = start({ spoolBytes: 10 });
    await journal.append("12345\n");
    await expect(journal.append("12345\n")).rejects.toThrow(SpoolFullError);
    await journal.append("123\n");
    expect(text(1)).toBe("12345\n123\n");
    expect(journal.unappliedBytes).toBe(10);
    await journal.applied({ segment: 1, offset: 6 }, 6);
    await journal.append("12345\n");
    expect(text(1)).toBe("12345\n123\n12345\n");
  });

  it("counts pending lines, so that a burst cannot exceed it", async () => {
    const journal = start({ spoolBytes: 20, batchMs: 60_000 });
    const burst = Promise.allSettled(Array.from({ length: 10 }, () => journal.append("12345\n")));
    await journal.flush();
    const settled = await burst;
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect(text(1)).toBe("12345\n".repeat(3));
  });

  it("counts the backlog of an earlier process", async () => {
    const first = start({ segmentBytes: 8 });
    for (const line of ["aaa\n", "bbb\n", "ccc\n"]) await first.append(line);
    await first.close();
    const second = start({ spoolBytes: 10 });
    await second.countBacklog({ segment: 1, offset: 4 });
    expect(second.unappliedBytes).toBe(8);
    await expect(second.append("ddd\n")).rejects.toThrow(SpoolFullError);
  });
});

describe("a failed journal write", () => {
  /** Makes the next append write only a part and fail, as on a full disk. */
  async function failOnce(part: number): Promise<void> {
    const probe = await open(join(folder, "probe"), "w");
    const handles = Object.getPrototypeOf(probe) as FileHandle;
    await probe.close();
    vi.spyOn(handles, "appendFile").mockImplementationOnce(async function (this: FileHandle, data) {
      await this.write((data as Buffer).subarray(0, part));
      throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    });
  }
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("rejects the batch, leaves only complete lines, and the next write succeeds", async () => {
    const journal = start();
    await journal.append("one\n");
    await failOnce(3);
    await expect(journal.append("two\n")).rejects.toThrow("no space left");
    expect(text(1)).toBe("one\n");
    expect(journal.unappliedBytes).toBe(4);
    await journal.append("three\n");
    expect(text(1)).toBe("one\nthree\n");
    expect(await readAll(journal)).toBe("one\nthree\n");
  });

  it("continues in a new segment if the file cannot be truncated", async () => {
    const journal = start();
    const file = await open(join(folder, "other"), "w");
    const handles = Object.getPrototypeOf(file) as FileHandle;
    await file.close();
    vi.spyOn(handles, "appendFile").mockRejectedValueOnce(new Error("ENOSPC"));
    vi.spyOn(handles, "truncate").mockRejectedValueOnce(new Error("EINVAL"));
    await expect(journal.append("one\n")).rejects.toThrow("ENOSPC");
    expect(journal.unappliedBytes).toBe(0);
    await journal.append("two\n");
    expect(text(2)).toBe("two\n");
  });

  it("rejects while the folder is missing, and recovers when it exists again", async () => {
    const journal = start();
    rmSync(folder, { recursive: true });
    await expect(journal.append("one\n")).rejects.toThrow("ENOENT");
    expect(journal.unappliedBytes).toBe(0);
  });
});

it("position texts sort in journal order and parse back to the same position", () => {
  const positions = [
    { segment: 1, offset: 0 },
    { segment: 1, offset: 9 },
    { segment: 1, offset: 10 },
    { segment: 2, offset: 3 },
    { segment: 10, offset: 0 },
  ];
  const texts = positions.map(positionText);
  expect(texts[0]).toBe("00000001:000000000000");
  expect([...texts].sort()).toEqual(texts);
  expect(texts.map(parsePosition)).toEqual(positions);
});
