import { type Fields, isObject } from "../core/model/narrow.ts";

/** Streams of a command that reads texts: those of the process, or of a test. */
export interface TextIo {
  readonly stdin: AsyncIterable<string | Uint8Array>;
  readonly stdout: TextSink;
  readonly stderr: TextSink;
}

interface TextSink {
  write(text: string): unknown;
  once?(event: "drain", listener: () => void): unknown;
}

/** Decodes chunks that may end inside a character. */
export async function* texts(input: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
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
export async function put(io: TextIo, text: string): Promise<void> {
  const { stdout } = io;
  if (stdout.write(text) !== false || stdout.once === undefined) return;
  await new Promise<void>((resolve) => {
    stdout.once?.("drain", resolve);
  });
}

const RAW_CONTROLS = /[\u007f-\u009f\u202a-\u202e\u2028\u2029\u2066-\u2069]/g;

/** JSON that also escapes control characters which JSON allows raw, because a terminal would interpret them. */
export function terminalJson(value: unknown, indent?: number): string {
  const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value, null, indent).replace(RAW_CONTROLS, escaped);
}

/** The fields written for a line, or its problem. */
export type LineAnswer =
  | { readonly kind: "answer"; readonly fields: object }
  | { readonly kind: "problem"; readonly problem: string };

/**
 * Writes one line for each line read, with its `id` or null. For an unreadable line it writes an error, so that
 * programs can read both files side by side. Returns the exit code: 1 if there was such a line.
 */
export async function answerLines(io: TextIo, command: string, answer: (row: Fields) => LineAnswer): Promise<number> {
  let code = 0;
  let number = 0;
  for await (const line of lines(io.stdin)) {
    number += 1;
    if (line.trim() === "") continue;
    const row = readObject(line);
    const answered: LineAnswer = row === undefined ? { kind: "problem", problem: "is not a JSON object" } : answer(row);
    const id = typeof row?.id === "string" || typeof row?.id === "number" ? row.id : null;
    if (answered.kind === "answer") {
      await put(io, `${terminalJson({ id, ...answered.fields })}\n`);
      continue;
    }
    code = 1;
    const error = `line ${number} ${answered.problem}`;
    io.stderr.write(`toolmend ${command}: ${error}\n`);
    await put(io, `${terminalJson({ id, error })}\n`);
  }
  return code;
}

function readObject(line: string): Fields | undefined {
  try {
    const row: unknown = JSON.parse(line);
    return isObject(row) ? row : undefined;
  } catch {
    return undefined;
  }
}
