import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../src/cli/config.ts";
import { openImportWriter } from "../src/cli/import-writer.ts";
import { findTranscripts } from "../src/ingest/import/find-transcripts.ts";
import { ImportCheckpoints } from "../src/ingest/import/import-checkpoints.ts";
import { type ImportTotals, TranscriptImport } from "../src/ingest/import/import-files.ts";
import { openSqliteReader } from "../src/store/sqlite/sqlite-store.ts";
import { ClaudeTranscript } from "../test/support/claude-transcript.ts";
import type { Benchmark } from "./frame/benchmark.ts";
import { createRandom, type Random } from "./frame/random.ts";
import { type Row, row } from "./frame/row.ts";
import { median } from "./frame/statistics.ts";

const WORDS = "const value return import from list index page result query name total config update render table".split(
  " ",
);

function prose(random: Random, length: number): string {
  let text = "";
  while (text.length < length) text += `${word(random)} `;
  return text;
}

/** Source code, the most common content of transcripts: quotes, indentation, short lines. */
function code(random: Random, length: number): string {
  let text = "";
  while (text.length < length) {
    text += `${"  ".repeat(Math.floor(random() * 4))}const ${word(random)} = ${word(random)}("${word(random)} ${word(random)}", { ${word(random)}: ${Math.floor(random() * 100)} });\n`;
  }
  return text;
}

function word(random: Random): string {
  return WORDS[Math.floor(random() * WORDS.length)] as string;
}

/** Distributed like the sizes of real results: many small, few very large. */
function size(random: Random, typical: number): number {
  return Math.min(40_000, Math.max(20, Math.round(typical * Math.exp(1.1 * (random() + random() + random() - 1.5)))));
}

/**
 * A session in the client's format: a result's text appears twice in its line, an edit contains the changed file, and
 * lines of the client's own bookkeeping surround the calls.
 */
function session(random: Random, number: number, calls: number): ClaudeTranscript {
  const id = String(number).padStart(12, "0");
  const transcript = new ClaudeTranscript({ session: `5e551011-0000-4000-8000-${id}` });
  for (let call = 0; call < calls; call += 1) {
    const toolId = `toolu_01${id}x${call}k${Math.floor(random() * 1e9).toString(36)}`;
    if (call % 20 === 0) transcript.prompt(`Fix the ${prose(random, 120)}`);
    const { name, input, text, beside } = step(random);
    transcript.calls([{ id: toolId, name, input }]);
    const fails = random() < 0.1;
    if (fails) transcript.failed(toolId, `Exit code 1\n${text}`, "accept", { toolUseResult: `Error: ${text}` });
    else transcript.ok(toolId, text, { toolUseResult: beside });
    transcript.other({ type: "api-request", id: toolId, body: prose(random, 1500) });
    transcript.other({ type: "attachment", attachment: { type: "prompt_snapshot", content: prose(random, 600) } });
  }
  return transcript;
}

interface Step {
  readonly name: string;
  readonly input: { readonly [name: string]: unknown };
  readonly text: string;
  readonly beside: unknown;
}

function step(random: Random): Step {
  const path = `/home/dev/${prose(random, 30).replaceAll(/\s/g, "/")}.ts`;
  const roll = random();
  if (roll < 0.4) {
    const text = code(random, size(random, 900));
    const input = { command: `npm test -- ${prose(random, 60)}`, description: prose(random, 40) };
    return { name: "Bash", input, text, beside: { stdout: text, stderr: "", interrupted: false } };
  }
  if (roll < 0.75) {
    const text = code(random, size(random, 4500));
    return {
      name: "Read",
      input: { file_path: path },
      text,
      beside: { type: "text", file: { filePath: path, content: text } },
    };
  }
  const [from, to] = [code(random, 200), code(random, 250)];
  const beside = { filePath: path, oldString: from, newString: to, originalFile: code(random, size(random, 6000)) };
  return {
    name: "Edit",
    input: { file_path: path, old_string: from, new_string: to },
    text: `The file ${path} was updated.`,
    beside,
  };
}

async function importOnce(
  transcripts: string,
  data: string,
): Promise<{ readonly ms: number; readonly totals: ImportTotals }> {
  const started = performance.now();
  const { files } = await findTranscripts([transcripts]);
  const writer = openImportWriter(await readConfig({ data }, {}), Date.now, () => undefined);
  const ledger = new ImportCheckpoints(writer.folder.imports, writer.folder.database);
  const { observer, send } = writer;
  const totals = await new TranscriptImport({
    observer,
    send,
    checkpoints: ledger,
    project: "default",
    now: Date.now,
  }).importAll(files);
  await writer.close();
  return { ms: performance.now() - started, totals };
}

let sink = 0;

function parseMs(lines: readonly string[]): number {
  const started = performance.now();
  for (const line of lines) sink += Object.keys(JSON.parse(line) as object).length;
  return performance.now() - started;
}

/** The whole import from files to the store, against `JSON.parse` of the same lines, which are in memory already. */
export const benchImport: Benchmark = async ({ quick, seed, progress }) => {
  const random = createRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), "toolmend-bench-import-"));
  const [sessions, calls, rounds] = quick ? [10, 100, 2] : [80, 250, 5];
  try {
    const transcripts = join(folder, "projects");
    mkdirSync(transcripts);
    const paths = Array.from({ length: sessions }, (_, at) => join(transcripts, `session-${at}.jsonl`));
    for (const [at, path] of paths.entries()) writeFileSync(path, session(random, at, calls).text());
    const lines = paths.flatMap((path) =>
      readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => line !== ""),
    );
    const bytes = lines.reduce((sum, line) => sum + line.length + 1, 0);
    const timings: { parse: number; first: number; second: number }[] = [];
    let problem: string | undefined;
    for (let round = 0; round <= rounds; round += 1) {
      progress(`round ${round} of ${rounds}`);
      const data = join(folder, `data-${round}`);
      const first = await importOnce(transcripts, data);
      const second = await importOnce(transcripts, data);
      const parse = Math.min(parseMs(lines), parseMs(lines));
      const reader = openSqliteReader(join(data, "toolmend.db"));
      const stored = (await reader.summary({})).calls;
      await reader.close();
      rmSync(data, { recursive: true, force: true });
      if (stored !== sessions * calls) problem = `${stored} calls stored, ${sessions * calls} were made`;
      if (sink === 0) problem = "nothing was parsed";
      if (second.totals.lines > 0) problem = `the second import read ${second.totals.lines} lines`;
      // The first round warms up.
      if (round > 0) timings.push({ parse, first: first.ms, second: second.ms });
    }
    const ratio = (of: "first" | "second"): number => median(timings.map((one) => one.parse / one[of]));
    const speed = (of: "first" | "second"): number => bytes / 1e6 / (median(timings.map((one) => one[of])) / 1000);
    const make = (name: string, of: "first" | "second", atLeast: number): Row =>
      row({
        name,
        against: "JSON.parse of the same lines",
        value: speed(of),
        unit: "MB/s",
        ratio: ratio(of),
        reach: { atLeast },
        void: problem,
      });
    return [
      make(`import: ${(bytes / 1e6).toFixed(0)} MB of transcripts, ${sessions * calls} calls`, "first", 0.1),
      make("import: the same files again", "second", 0.5),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
