import { hasFields, isOneOf } from "../../core/model/narrow.ts";
import { collect } from "../../core/recover/extract.ts";
import { createLeakScanner, extractToolCalls } from "../../core/recover/index.ts";
import type { ContextText, DeclaredTool, RecoverMode, RecoverOptions } from "../../core/recover/types.ts";

/** Streams of the command: those of the process, or of a test. */
export interface RecoverIo {
  readonly stdin: AsyncIterable<string | Uint8Array>;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

export interface RecoverCommandOptions {
  /** One JSON object per line: `{id?, text, tools?, context?}`, the context as strings or `{role, text}`. */
  readonly jsonl?: boolean;
  readonly mode?: RecoverMode;
  readonly tools?: readonly DeclaredTool[];
}

/**
 * `toolmend recover`: reads text and writes `{content, toolCalls, matches}`; with `jsonl`, one output line per input
 * line. Returns the exit code: 1 if a line could not be parsed.
 *
 * @example
 * process.exitCode = await recoverCommand({ jsonl: true }, process);
 */
export async function recoverCommand(options: RecoverCommandOptions, io: RecoverIo): Promise<number> {
  return options.jsonl === true ? recoverLines(options, io) : recoverText(options, io);
}

async function recoverText(options: RecoverCommandOptions, io: RecoverIo): Promise<number> {
  const scanner = createLeakScanner(recoverOptions(options));
  const events = [];
  for await (const chunk of texts(io.stdin)) events.push(...scanner.push(chunk));
  events.push(...scanner.end());
  await put(io, `${JSON.stringify(collect(events))}\n`);
  return 0;
}

async function recoverLines(options: RecoverCommandOptions, io: RecoverIo): Promise<number> {
  let code = 0;
  let number = 0;
  for await (const line of lines(io.stdin)) {
    number += 1;
    if (line.trim() === "") continue;
    const row = readRow(line);
    const problem = row.problem ?? (row.text === undefined ? "is not an object with a text" : undefined);
    if (row.text === undefined || problem !== undefined) {
      code = 1;
      const error = `line ${number} ${problem}`;
      io.stderr.write(`toolmend recover: ${error}\n`);
      await put(io, `${JSON.stringify({ id: row.id ?? null, error })}\n`);
      continue;
    }
    const extraction = extractToolCalls(row.text, recoverOptions({ ...options, ...row }));
    await put(io, `${JSON.stringify({ id: row.id ?? null, ...extraction })}\n`);
  }
  return code;
}

interface Row {
  readonly id?: string | number;
  /** Absent if the line contains no text. */
  readonly text?: string;
  readonly tools?: readonly DeclaredTool[];
  readonly context?: readonly (string | ContextText)[];
  /** What is wrong with the line. */
  readonly problem?: string;
}

function readRow(line: string): Row {
  try {
    const row = (JSON.parse(line) ?? {}) as Partial<Row>;
    const id = typeof row.id === "string" || typeof row.id === "number" ? { id: row.id } : {};
    if (typeof row.text !== "string") return id;
    return {
      text: row.text,
      ...id,
      ...(Array.isArray(row.tools) ? { tools: row.tools.flatMap(declaredTool) } : {}),
      ...readContext(row.context),
    };
  } catch {
    return {};
  }
}

/** Texts the model was given: strings, which count as tool results, or texts with a role. */
function readContext(context: unknown): Pick<Row, "context" | "problem"> {
  if (context === undefined || context === null) return {};
  if (!Array.isArray(context)) return { problem: "has a context that is not a list" };
  for (const [at, one] of context.entries()) {
    if (typeof one === "string") continue;
    const { role, text } = hasFields(one) ? one : {};
    if (typeof text !== "string")
      return { problem: `has a context whose item ${at} is neither a string nor an object with a text` };
    if (!isOneOf(ROLES, role))
      return {
        problem: `has a context whose item ${at} has the role ${JSON.stringify(role)}; use ${ROLES.join(", ")}`,
      };
  }
  return { context };
}

const ROLES: readonly ContextText["role"][] = ["user", "system", "assistant", "tool"];

function recoverOptions(options: RecoverCommandOptions & Pick<RecoverOptions, "context">): RecoverOptions {
  return {
    ...(options.mode === undefined ? {} : { mode: options.mode }),
    ...(options.tools === undefined ? {} : { tools: options.tools }),
    ...(options.context === undefined ? {} : { context: options.context }),
  };
}

/** Decodes chunks that may end inside a character. */
async function* texts(input: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of input) yield typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

async function* lines(input: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
  let parts: string[] = [];
  for await (const chunk of texts(input)) {
    let from = 0;
    for (let at = chunk.indexOf("\n"); at !== -1; at = chunk.indexOf("\n", from)) {
      parts.push(chunk.slice(from, at));
      yield parts.join("");
      parts = [];
      from = at + 1;
    }
    parts.push(chunk.slice(from));
  }
  yield parts.join("");
}

/** Respects backpressure: waits for `drain` if the stream is full. */
async function put(io: RecoverIo, text: string): Promise<void> {
  // A test may pass an object without `once`.
  const stream = io.stdout as { write(text: string): unknown; once?(event: "drain", listener: () => void): unknown };
  if (stream.write(text) !== false || stream.once === undefined) return;
  await new Promise<void>((resolve) => {
    stream.once?.("drain", () => resolve());
  });
}

/** Accepts a declaration or a tool name. */
function declaredTool(tool: unknown): readonly DeclaredTool[] {
  if (typeof tool === "string") return [{ name: tool }];
  // The scanner checks what it reads of a declaration.
  return typeof tool === "object" && tool !== null ? [tool as DeclaredTool] : [];
}
