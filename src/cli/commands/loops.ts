import { findLoops, type Loop } from "../../core/loop/index.ts";
import { type Fields, isArray, isObject } from "../../core/model/narrow.ts";
import { type Api, WIRE } from "../../core/wire/index.ts";
import { lines, put, type TextIo } from "../json-lines.ts";

/** `toolmend loops --jsonl`: finds loops in conversations. Returns 1 if a line could not be read. */
export async function loopsCommand(io: TextIo): Promise<number> {
  let code = 0;
  let number = 0;
  for await (const line of lines(io.stdin)) {
    number += 1;
    if (line.trim() === "") continue;
    const row = readRow(line);
    if ("problem" in row) {
      code = 1;
      const error = `line ${number} ${row.problem}`;
      io.stderr.write(`toolmend loops: ${error}\n`);
      await put(io, `${JSON.stringify({ id: row.id, error })}\n`);
      continue;
    }
    const loops = loopsOf(row.messages);
    await put(io, `${JSON.stringify({ id: row.id, loops, at: loops[0]?.at ?? null })}\n`);
  }
  return code;
}

type Row =
  | { readonly id: unknown; readonly messages: readonly unknown[] }
  | { readonly id: unknown; readonly problem: string };

function readRow(line: string): Row {
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch {
    return { id: null, problem: "is not JSON" };
  }
  if (!isObject(row)) return { id: null, problem: "is not a JSON object" };
  const { id = null, messages } = row;
  if (!isArray(messages)) return { id, problem: 'needs "messages": a list of messages' };
  return { id, messages };
}

function loopsOf(messages: readonly unknown[]): readonly Loop<number>[] {
  const api = apiOf(messages);
  const request = WIRE[api].decodeRequest(api === "responses" ? { input: messages } : { messages });
  return request === undefined ? [] : findLoops(request);
}

/** The API whose shape the conversation has: the first message that belongs to only one of them decides. */
function apiOf(messages: readonly unknown[]): Api {
  for (const message of messages) {
    if (!isObject(message)) continue;
    if (typeof message.type === "string" && message.type !== "message") return "responses";
    if (message.role === "tool" || message.tool_calls !== undefined) return "chat";
    if (isArray(message.content) && message.content.some(isMessagesBlock)) return "anthropic";
  }
  return "chat";
}

function isMessagesBlock(part: unknown): boolean {
  const { type }: Fields = isObject(part) ? part : {};
  return type === "tool_use" || type === "tool_result";
}
