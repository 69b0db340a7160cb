import {
  classifyToolResult,
  clientProfileNamed,
  type DeclaredTool,
  type DetectApi,
  type DetectContext,
  formatStatusMessage,
  type UserRule,
} from "../../core/detect/index.ts";
import type { Outcome } from "../../core/model/outcome.ts";
import type { Json } from "../../core/model/tool-call.ts";

/** What the command line may say. */
export interface DetectOptions {
  /** One JSON object per line in, one per line out; otherwise the whole input is one result's text. */
  readonly jsonl?: boolean;
  /** The tool's name and the client, for a single text. */
  readonly tool?: string;
  readonly client?: string;
  /** `false`: the flag and stated exit statuses only. */
  readonly heuristics?: boolean;
  /** The user's own rules, already checked. */
  readonly rules?: readonly UserRule[];
}

/** Where the command reads and writes; streams of Node fit, and so do plain objects in tests. */
export interface DetectIo {
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly stdout: LineSink;
  readonly stderr: LineSink;
}

interface LineSink {
  write(text: string): unknown;
  once?(event: "drain", listener: () => void): unknown;
}

/** Judges tool results from standard input. Gives the exit code: 0, or 1 when a line could not be read. */
export async function detectCommand(options: DetectOptions, io: DetectIo): Promise<number> {
  const context: DetectContext = {
    ...(options.heuristics === undefined ? {} : { heuristics: options.heuristics }),
    ...(options.rules === undefined ? {} : { rules: options.rules }),
  };
  return options.jsonl === true ? judgeLines(io, context) : judgeText(options, io, context);
}

async function judgeLines({ stdin, stdout, stderr }: DetectIo, context: DetectContext): Promise<number> {
  let number = 0;
  let bad = 0;
  for await (const line of linesOf(stdin)) {
    number += 1;
    if (line.trim() === "") {
      continue;
    }
    const row = parseRow(line);
    if (row === undefined) {
      bad += 1;
      stderr.write(`toolmend detect: line ${number} is not a JSON object\n`);
      // One line out for each line in: programs read both files side by side.
      await write(
        stdout,
        `${JSON.stringify({ ...verdict(null, UNREAD, undefined), error: `line ${number} is not a JSON object` })}\n`,
      );
      continue;
    }
    await write(stdout, `${JSON.stringify(judgeRow(row, context))}\n`);
  }
  return bad === 0 ? 0 : 1;
}

async function judgeText(options: DetectOptions, { stdin, stdout }: DetectIo, context: DetectContext): Promise<number> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  for await (const chunk of stdin) {
    parts.push(typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true }));
  }
  const row = { content: parts.join("") + decoder.decode(), tool_name: options.tool, client: options.client };
  await write(stdout, `${JSON.stringify(judgeRow(row, context), null, 2)}\n`);
  return 0;
}

const UNREAD: Outcome = {
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
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Row) : undefined;
  } catch {
    return undefined;
  }
}

function judgeRow(row: Row, context: DetectContext): object {
  const { id, tool_name, content, is_error, client, api } = row;
  const name = typeof tool_name === "string" ? tool_name : undefined;
  const outcome = classifyToolResult(
    {
      callId: typeof id === "string" ? id : "",
      content,
      ...(typeof is_error === "boolean" ? { isError: is_error } : {}),
    },
    { ...(name === undefined ? {} : { name }), arguments: argumentsOf(row.arguments) },
    {
      ...context,
      ...(typeof client === "string" ? { client: clientProfileNamed(client) } : {}),
      ...(isApi(api) ? { api } : {}),
      ...toolsOf(row.tools),
    },
  );
  return verdict(id ?? null, outcome, name);
}

function verdict(id: unknown, outcome: Outcome, tool: string | undefined): object {
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

/** Arguments come as an object or as the text the model wrote. */
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
  return value === "anthropic" || value === "chat" || value === "responses";
}

/** Declared tools in any API's shape. */
function toolsOf(value: unknown): { readonly tools?: readonly DeclaredTool[] } {
  if (!Array.isArray(value)) {
    return {};
  }
  const tools = value.flatMap((item: unknown): DeclaredTool[] => {
    const outer = typeof item === "object" && item !== null ? (item as Row) : {};
    const inner = typeof outer.function === "object" && outer.function !== null ? (outer.function as Row) : outer;
    const schema = inner.parameters ?? inner.input_schema;
    return typeof inner.name === "string"
      ? [{ name: inner.name, ...(schema === undefined ? {} : { parameters: schema as Json }) }]
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

/** The lines of a stream, each as soon as it is whole; pieces of a long line are joined once. */
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
  const rest = pieces.join("") + decoder.decode();
  if (rest !== "") {
    yield rest;
  }
}
