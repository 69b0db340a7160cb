// Turns one case into rows: runs it per seed and language, checks that it went as planned, and labels every variant.

import { MASKS, pickStyle, shellCall } from "./harness.ts";
import type { Recorded, Scratch } from "./run.ts";
import { closeScratch, environment, openScratch, runShell } from "./run.ts";
import { projectFolder, scrub } from "./scrub.ts";
import type { Case, Label, Row, StatusShown } from "./types.ts";
import { createPicker, fill, hashText, wordsOf } from "./words.ts";

export const LOCALES: Readonly<Record<string, string>> = {
  en: "C.UTF-8",
  de: "de_DE.UTF-8",
  fr: "fr_FR.UTF-8",
  es: "es_ES.UTF-8",
  it: "it_IT.UTF-8",
  pt_BR: "pt_BR.UTF-8",
  ja: "ja_JP.UTF-8",
  ru: "ru_RU.UTF-8",
};

const RUN_TIMEOUT_MS = 90_000;
const MAX_CONTENT_CHARS = 40_000;
const MAX_FACT_CHARS = 48;

export interface RecordContext {
  readonly cache: string;
  /** Words of the running servers: ports and folders. */
  readonly services: Readonly<Record<string, string>>;
  /** Called for a run that did not go as planned; its rows are discarded. */
  readonly surprise: (family: string, one: Case, language: string, run: Recorded, why: string) => void;
}

interface Run {
  readonly family: string;
  readonly one: Case;
  readonly language: string;
  readonly seed: number;
  readonly words: Readonly<Record<string, string>>;
  /** Known after the plain run. */
  readonly fact: string;
}

export async function recordCase(family: string, one: Case, context: RecordContext): Promise<readonly Row[]> {
  const rows: Row[] = [];
  const base = hashText(`${family}/${one.program}/${one.name}`) % 100_000;
  const seeds = one.seeds ?? (one.kind === "ok" ? 3 : 2);
  for (let n = 0; n < seeds; n++) {
    const seed = base + n * 17;
    rows.push(...(await recordRun({ family, one, language: "en", seed, words: wordsOf(seed), fact: "" }, n, context)));
  }
  if (one.localized === true)
    for (const [n, language] of Object.keys(LOCALES).slice(1).entries()) {
      const seed = base + (seeds + n) * 17;
      rows.push(...(await recordRun({ family, one, language, seed, words: wordsOf(seed), fact: "" }, n, context)));
    }
  return rows;
}

/** A plain run gives the shown and the hidden row; a second run of the masked command gives the third. */
async function recordRun(run: Run, n: number, context: RecordContext): Promise<readonly Row[]> {
  const words = { ...run.words, ...context.services, cache: context.cache, locale: LOCALES[run.language] as string };
  const plain = await execute({ ...run, words }, fill(run.one.run, words), context);
  const full = { ...run, words, fact: factOf(run.one, words, plain.text) };
  const rows: Row[] = [];
  const problem = checkRun(full, plain);
  if (problem !== undefined) {
    context.surprise(run.family, run.one, run.language, plain, problem);
    return rows;
  }
  // One variant per language keeps a localized case from filling the set; half of them are bare text.
  // A reading tool has no exit status to show.
  const reads = run.one.tool === "read" || run.one.tool === "search";
  const turn = (["hidden", "shown", "hidden", "masked"] as const)[(run.seed + n) % 4];
  const variant = reads ? "hidden" : run.language === "en" ? "all" : turn;
  const wants = (status: StatusShown) => variant === "all" || variant === status;
  const command = fill(run.one.run, words);
  if (wants("shown")) rows.push(...toRows(full, command, plain, "shown", context));
  if (wants("hidden")) rows.push(...toRows(full, command, plain, "hidden", context));
  if (run.one.maskable !== false && wants("masked")) {
    const mask = createPicker(run.seed ^ 0x2545f491)(MASKS);
    const maskedCommand = mask.apply(command);
    const result = await execute(full, maskedCommand, context);
    const silent = plain.text.trim() === "";
    if (!result.timedOut) rows.push(...toRows(full, maskedCommand, result, "masked", context, silent));
  }
  return rows;
}

async function execute(run: Run, command: string, context: RecordContext): Promise<Recorded> {
  const { one, words } = run;
  const files = Object.fromEntries(
    Object.entries(one.files ?? {}).map(([name, text]) => [fill(name, words), fill(text, words)]),
  );
  const scratch = openScratch(files);
  try {
    const env = environment(scratch, context.cache, LOCALES[run.language] as string);
    if (one.setup !== undefined)
      await runShell(fill(one.setup, words), scratch, { ...env, LC_ALL: "C.UTF-8" }, RUN_TIMEOUT_MS);
    const recorded = await runShell(command, scratch, env, RUN_TIMEOUT_MS, fill(one.stdin ?? "", words));
    return { ...recorded, text: clean(recorded.text, scratch, context.cache, run.seed) };
  } finally {
    closeScratch(scratch);
  }
}

function clean(text: string, scratch: Scratch, cache: string, seed: number): string {
  const scrubbed = scrub(text, scratch, cache, seed).replace(/\n+$/, "");
  if (scrubbed.length <= MAX_CONTENT_CHARS) return scrubbed;
  return `${scrubbed.slice(0, MAX_CONTENT_CHARS / 2)}\n... [output truncated] ...\n${scrubbed.slice(-MAX_CONTENT_CHARS / 2)}`;
}

function checkRun({ one, fact }: Run, { text, exitCode, timedOut }: Recorded): string | undefined {
  if (timedOut) return "timed out";
  // The entry of nobody in the password file: a failure of the laboratory, not of the case.
  if (text.includes("/nonexistent")) return "the home folder of nobody was used";
  const expected = one.exit ?? (one.kind === "error" ? "nonzero" : 0);
  if (expected === "nonzero" && exitCode === 0) return "expected a failure";
  if (typeof expected === "number" && exitCode !== expected) return `expected exit status ${expected}`;
  if (one.kind === "error" && text !== "" && !text.includes(fact)) return `fact not in the output: ${fact}`;
  return undefined;
}

/** `^` stands for the first line of the output and `$` for the last: texts that a program translates. */
function factOf(one: Case, words: Readonly<Record<string, string>>, text: string): string {
  if (one.fact !== "^" && one.fact !== "$") return fill(one.fact ?? "", words);
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return (one.fact === "^" ? lines[0] : lines.at(-1))?.trim().slice(0, MAX_FACT_CHARS) ?? "";
}

/** Undefined if a mask cut the telling lines off but left others: a reader might still tell, so the row is dropped. */
function labelOf({ one, words, fact }: Run, text: string, shown: StatusShown, silent: boolean): Label | undefined {
  if (shown === "shown" || (shown === "masked" && /(^|\n)status: \d+$/.test(text))) return one.kind;
  const telling = [fact, ...(one.signs ?? []).map((sign) => fill(sign, words))].filter((sign) => sign !== "");
  if (one.kind === "error" && telling.some((sign) => text.includes(sign))) return "error";
  if (text.trim() === "" || silent) return "unknown";
  if (one.kind === "ok") return "ok";
  return shown === "hidden" ? "unknown" : undefined;
}

function toRows(
  run: Run,
  command: string,
  recorded: Recorded,
  shown: StatusShown,
  context: RecordContext,
  silent = false,
): readonly Row[] {
  const { one, seed, family, language, words, fact } = run;
  const exitCode = recorded.exitCode ?? 1;
  const style = pickStyle(seed, exitCode);
  const label = labelOf(run, recorded.text, shown, silent);
  if (label === undefined) return [];
  // Some harnesses show the status 0 of a masked command line: every fourth masked row with a text that tells does.
  const wrapped = shown === "shown" || (shown === "masked" && label !== "unknown" && seed % 4 === 0);
  const scratchless = scrub(
    command,
    { root: "/nonexistent", project: "/nonexistent", home: "/nonexistent" },
    context.cache,
    seed,
  );
  return [
    {
      id: `${family}/${one.program}/${one.name}/${language}/${seed}/${shown}`,
      family,
      program: one.program,
      breakage: one.name,
      language,
      ...callOf(one, scratchless, words, seed),
      content: wrapped ? style.wrap(recorded.text, exitCode, seed) : recorded.text,
      status_shown: shown,
      status_style: wrapped ? style.name : "none",
      exit_code: exitCode,
      label,
      category: label === "error" ? (one.category ?? "exit_code") : null,
      also: label === "error" ? (one.also ?? []) : [],
      fact: label === "error" && recorded.text.includes(fact) ? fact : "",
      soft: label === "error" && wrapped && exitCode === 0,
      convention: one.convention ?? (label === "unknown" ? "silent" : null),
      seed,
    },
  ];
}

const READ_TOOLS = ["Read", "read_file", "view_file", "cat_file"];
const SEARCH_TOOLS = ["Grep", "search_files", "grep_search", "ripgrep"];

/** A reading tool shows what the command printed; only the call differs. */
function callOf(one: Case, command: string, words: Readonly<Record<string, string>>, seed: number) {
  const pick = createPicker(seed);
  const cwd = projectFolder(seed);
  const target = command.trim().split(/\s+/).at(-1) as string;
  switch (one.tool) {
    case "read":
      return { tool_name: pick(READ_TOOLS), arguments: { path: `${cwd}/${target}` } };
    case "search":
      return { tool_name: pick(SEARCH_TOOLS), arguments: { pattern: words.pattern ?? "error", path: cwd } };
    case "python":
      return {
        tool_name: pick(["python", "execute_python", "run_python"]),
        arguments: { code: firstFile(one, words) },
      };
    case "node":
      return {
        tool_name: pick(["run_javascript", "node_repl", "execute_js"]),
        arguments: { code: firstFile(one, words) },
      };
    default:
      return shellCall(command, cwd, seed);
  }
}

function firstFile(one: Case, words: Readonly<Record<string, string>>): string {
  return fill(Object.values(one.files ?? {})[0] ?? "", words);
}
