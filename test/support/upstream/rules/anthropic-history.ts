import type { Json, JsonObject } from "../../../../src/core/model/tool-call.ts";
import { arrayOf, isObject, objectOf, textOf } from "../json.ts";
import type { ParsedRequest } from "../parsed-request.ts";

/** A message of the history with its index. */
export interface PlacedMessage {
  readonly index: number;
  readonly role: string;
  readonly content: Json | undefined;
  readonly blocks: readonly PlacedBlock[];
}

export interface PlacedBlock {
  /** `messages.3.content.0`, as in Anthropic's error messages. */
  readonly path: string;
  readonly role: string;
  readonly type: string;
  readonly block: JsonObject;
}

/** The messages with their blocks; string content has no blocks, and has its own rules. */
export function placedMessages(request: ParsedRequest): PlacedMessage[] {
  return request.messages.map((value, index) => {
    const message = objectOf(value);
    const role = textOf(message.role);
    const blocks = arrayOf(message.content).flatMap((block, place) =>
      isObject(block) ? [{ path: `messages.${index}.content.${place}`, role, type: textOf(block.type), block }] : [],
    );
    return { index, role, content: message.content, blocks };
  });
}

/** Blocks of one type, at any position. */
export function blocksOf(request: ParsedRequest, type: string): PlacedBlock[] {
  return placedMessages(request).flatMap((message) => message.blocks.filter((block) => block.type === type));
}

/** The messages without system messages, which may appear anywhere and do not separate turns. */
export function conversationMessages(request: ParsedRequest): PlacedMessage[] {
  return placedMessages(request).filter((message) => message.role !== "system");
}

export function callIdsOf(message: PlacedMessage | undefined): string[] {
  if (message?.role !== "assistant") return [];
  return message.blocks.filter((block) => block.type === "tool_use").map((block) => textOf(block.block.id));
}

export function resultIdsOf(message: PlacedMessage | undefined): string[] {
  if (message?.role !== "user") return [];
  return message.blocks.filter((block) => block.type === "tool_result").map((block) => textOf(block.block.tool_use_id));
}
