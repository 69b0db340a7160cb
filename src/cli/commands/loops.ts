import { findLoops, type Loop } from "../../core/loop/index.ts";
import { type Fields, isArray, isObject } from "../../core/model/narrow.ts";
import { type Api, WIRE } from "../../core/wire/index.ts";
import { answerLines, type TextIo } from "../json-lines.ts";

/** `toolmend loops --jsonl`: finds loops in conversations. Returns 1 if a line could not be read. */
export function loopsCommand(io: TextIo): Promise<number> {
  return answerLines(io, "loops", ({ messages }) => {
    if (!isArray(messages)) return { kind: "problem", problem: 'needs "messages": a list of messages' };
    const loops = loopsOf(messages);
    return { kind: "answer", fields: { loops, at: loops[0]?.at ?? null } };
  });
}

function loopsOf(messages: readonly unknown[]): readonly Loop<number>[] {
  const api = apiOf(messages);
  const request = WIRE[api].decodeRequest(api === "responses" ? { input: messages } : { messages });
  return request === undefined ? [] : findLoops(request);
}

/** The API whose format the conversation has: the first message that belongs to only one of them decides. */
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
