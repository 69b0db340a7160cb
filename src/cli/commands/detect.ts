import {
  classifyToolResult,
  clientProfileNamed,
  type DeclaredTool,
  type DetectApi,
  type DetectContext,
  formatStatusMessage,
  type UserRule,
} from "../../core/detect/index.ts";
import { hasFields, isObject } from "../../core/model/narrow.ts";
import type { Outcome } from "../../core/model/outcome.ts";
import type { Json } from "../../core/model/tool-call.ts";
import { APIS } from "../../core/wire/index.ts";
import { type Flags, readConfig } from "../config.ts";
import type { Io } from "../io.ts";
import { terminalJson } from "../json-lines.ts";
import { outcomeText } from "./outcome-text.ts";

export interface DetectOptions {
  /** Read one JSON object per line and write one per line; otherwise the whole input is the text of one result. */
  readonly jsonl?: boolean;
  /** Whether the outcome of a single text is written for people instead of programs. */
  readonly asText?: boolean;
  /** Tool name and client of a single text. */
  readonly tool?: string;
  readonly client?: string;
  /** `false`: use only the flag and reported exit statuses. */
  readonly heuristics?: boolean;
  /** User rules, already validated. */
  readonly rules?: readonly UserRule[];
}

/** Streams of the command: Node streams, or plain objects in tests. */
export interface DetectIo {
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly stdout: LineSink;
  readonly stderr: LineSink;
}

interface LineSink {
  write(text: string): unknown;
  once?(event: "drain", listener: () => void): unknown;
}

/** Classifies tool results from standard input. Returns the exit code: 0, or 1 if a line could not be parsed. */
export async function detectCommand(options: DetectOptions, io: DetectIo): Promise<number> {
  const context: DetectContext = {
    ...(options.heuristics === undefined ? {} : { heuristics: options.heuristics }),
    ...(options.rules === undefined ? {} : { rules: options.rules }),
  };
  return options.jsonl === true ? classifyLines(io, context) : classifyText(options, io, context);
}

async function classifyLines({ stdin, stdout, stderr }: DetectIo, context: DetectContext): Promise<number> {
  let number = 0;
  let bad = 0;
  for await (const line of linesOf(stdin)) {
    number += 1;
    if (line.trim() === "") {
      continue;
    }
    const row = parseRow(line);
    const problem = row === undefined ? "is not a JSON object" : problemOf(row);
    if (row === undefined || problem !== undefined) {
      bad += 1;
      const error = `line ${number} ${problem}`;
      stderr.write(`toolmend detect: ${error}\n`);
      // One output line per input line: programs read both files side by side.
      await write(stdout, `${terminalJson({ ...outcomeFields(row?.id ?? null, UNPARSED, undefined), error })}\n`);
      continue;
    }
    await write(stdout, `${terminalJson(classifyRow(row, context))}\n`);
  }
  return bad === 0 ? 0 : 1;
}

async function classifyText(
  options: DetectOptions,
  { stdin, stdout }: DetectIo,
  context: DetectContext,
): Promise<number> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  for await (const chunk of stdin) {
    parts.push(typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true }));
  }
  const row = { content: parts.join("") + decoder.decode(), tool_name: options.tool, client: options.client };
  const text =
    options.asText === true
      ? outcomeText(outcomeOf(row, context), options.tool)
      : `${terminalJson(classifyRow(row, context), 2)}\n`;
  await write(stdout, text);
  return 0;
}

const UNPARSED: Outcome = {
  status: "unknown",
  flag: "absent",
  reported: "unknown",
  soft: false,
  evidence: [],
  confidence: 0,
};

type Row = Readonly<Record<string, unknown>>;

function parseRow(line: string): Row | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Why a row cannot be classified. An empty `content` can: the tool returned nothing. */
function problemOf({ content, is_error, exit_code }: Row): string | undefined {
  if (content === undefined) return "has no content";
  if (is_error !== undefined && is_error !== null && typeof is_error !== "boolean")
    return "has an is_error that is neither true nor false";
  if (exit_code !== undefined && exit_code !== null && !Number.isInteger(exit_code))
    return "has an exit_code that is not a whole number";
  return undefined;
}

function classifyRow(row: Row, context: DetectContext): object {
  return outcomeFields(row.id ?? null, outcomeOf(row, context), nameOf(row));
}

function nameOf({ tool_name }: Row): string | undefined {
  return typeof tool_name === "string" ? tool_name : undefined;
}

function outcomeOf(row: Row, context: DetectContext): Outcome {
  const { id, content, is_error, exit_code, client, api } = row;
  const name = nameOf(row);
  return classifyToolResult(
    {
      callId: typeof id === "string" ? id : "",
      content,
      ...(typeof is_error === "boolean" ? { isError: is_error } : {}),
      ...(typeof exit_code === "number" ? { exitCode: exit_code } : {}),
    },
    { ...(name === undefined ? {} : { name }), arguments: argumentsOf(row.arguments) },
    {
      ...context,
      ...(typeof client === "string" ? { client: clientProfileNamed(client) } : {}),
      ...(isApi(api) ? { api } : {}),
      ...toolsOf(row.tools),
    },
  );
}

function outcomeFields(id: unknown, outcome: Outcome, tool: string | undefined): object {
  return {
    id,
    status: outcome.status,
    phase: outcome.phase ?? null,
    category: outcome.category ?? null,
    severity: outcome.severity ?? null,
    retryable: outcome.retryable ?? null,
    flag: outcome.flag,
    reported: outcome.reported,
    soft: outcome.soft,
    confidence: outcome.confidence,
    evidence: outcome.evidence,
    status_message: formatStatusMessage(outcome, tool ?? "unknown") ?? null,
    exit_code: outcome.exitCode ?? null,
    message: outcome.message ?? null,
  };
}

/** Accepts arguments as an object or as the text the model wrote. */
function argumentsOf(value: unknown): unknown {
  if (typeof value !== "string") {
    return value ?? undefined;
  }
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function isApi(value: unknown): value is DetectApi {
  const known: readonly unknown[] = APIS;
  return known.includes(value);
}

/** Accepts declared tools in the shape of any supported API. */
function toolsOf(value: unknown): { readonly tools?: readonly DeclaredTool[] } {
  if (!Array.isArray(value)) {
    return {};
  }
  const tools = value.flatMap((item: unknown): DeclaredTool[] => {
    const outer = hasFields(item) ? item : {};
    const inner = hasFields(outer.function) ? outer.function : outer;
    const schema = inner.parameters ?? inner.input_schema;
    return typeof inner.name === "string"
      ? // The schema is part of a line of JSON.
        [{ name: inner.name, ...(schema === undefined ? {} : { parameters: schema as Json }) }]
      : [];
  });
  return { tools };
}

async function write(stdout: LineSink, text: string): Promise<void> {
  if (stdout.write(text) === false && stdout.once !== undefined) {
    await new Promise<void>((resolve) => {
      stdout.once?.("drain", () => resolve());
    });
  }
}

/** Yields each line as soon as it is complete. Joins the chunks of a long line only once. */
async function* linesOf(stdin: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  for await (const chunk of stdin) {
    let text = typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    for (let newline = text.indexOf("\n"); newline !== -1; newline = text.indexOf("\n")) {
      pieces.push(text.slice(0, newline));
      yield pieces.join("");
      pieces = [];
      text = text.slice(newline + 1);
    }
    if (text !== "") {
      pieces.push(text);
    }
  }
  const lastLine = pieces.join("") + decoder.decode();
  if (lastLine !== "") {
    yield lastLine;
  }
}

/** `toolmend detect` with the rules from the user's configuration. */
export async function detectWithConfig(
  { json, ...flags }: DetectOptions & Pick<Flags, "config"> & { readonly json?: boolean },
  io: Io,
): Promise<number> {
  const { detect } = await readConfig(flags.config === undefined ? {} : { config: flags.config }, io.environment);
  return await detectCommand(
    {
      ...flags,
      asText: io.isTerminal && json !== true,
      heuristics: flags.heuristics !== false && detect.heuristics,
      rules: detect.rules,
    },
    { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr },
  );
}
