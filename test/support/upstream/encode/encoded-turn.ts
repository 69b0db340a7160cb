import type { JsonObject } from "../../../../src/core/model/tool-call.ts";
import { cutText } from "../cut-text.ts";
import { fillerMark, fillerPieces } from "../filler.ts";
import type { IdSource } from "../ids.ts";
import type { ParsedRequest } from "../parsed-request.ts";
import type { SseEvent } from "../sse.ts";
import type { Block, CallBlock, FillerBlock, ModelTurn, TextBlock, ThinkingBlock } from "../turn.ts";

/** A turn encoded for one API: as a JSON body, and as the events of a stream. */
export interface EncodedTurn {
  readonly body: () => JsonObject;
  readonly events: () => Iterable<SseEvent>;
}

/** The input of an API's encoder. Ids are drawn when it is called, so that parallel streams do not mix theirs. */
export interface EncodeContext {
  readonly request: ParsedRequest;
  readonly turn: ModelTurn;
  readonly blocks: readonly ResolvedBlock[];
  readonly alternatives: readonly (readonly ResolvedBlock[])[];
  readonly ids: IdSource;
  readonly nowMs: number;
  readonly tokens: { readonly input: number; readonly output: number; readonly cached: number };
}

export type ResolvedBlock = TextBlock | ThinkingBlock | FillerBlock | ResolvedCall;

/** A call with its id, and its arguments as the text to send. */
export interface ResolvedCall extends CallBlock {
  readonly id: string;
  readonly argumentsText: string;
}

const DEFAULT_CHARACTERS = 24;

export function createEncodeContext(
  request: ParsedRequest,
  turn: ModelTurn,
  ids: IdSource,
  nowMs: number,
  requestBytes: number,
): EncodeContext {
  const resolve = (blocks: readonly Block[]) => blocks.map((block) => resolveBlock(block, request, ids));
  const blocks = resolve(turn.blocks);
  return {
    request,
    turn,
    blocks,
    alternatives: (turn.alternatives ?? []).map(resolve),
    ids,
    nowMs,
    tokens: {
      input: turn.usage?.inputTokens ?? roughTokens(requestBytes),
      output: turn.usage?.outputTokens ?? roughTokens(blocks.reduce((sum, block) => sum + lengthOf(block), 0)),
      cached: turn.usage?.cachedInputTokens ?? 0,
    },
  };
}

/** Four characters per token: a rough estimate that is the same in every run. */
export function roughTokens(characters: number): number {
  return Math.max(1, Math.ceil(characters / 4));
}

export function modelOf({ turn, request }: EncodeContext): string {
  return turn.model ?? request.model;
}

export function isCall(block: ResolvedBlock): block is ResolvedCall {
  return block.kind === "call";
}

/** The whole text of a block. For a filler, only its marker. */
export function wholeText(block: TextBlock | ThinkingBlock | FillerBlock): string {
  return block.kind === "filler" ? fillerMark(block.bytes) : block.text;
}

/** The text of a block, or the arguments of a call, split as the turn specifies. */
export function pieces(block: ResolvedBlock, turn: ModelTurn): Iterable<string> {
  const characters = turn.chunking?.characters ?? DEFAULT_CHARACTERS;
  switch (block.kind) {
    case "filler":
      return fillerPieces(block.bytes);
    case "call":
      return cutText(block.argumentsText, characters);
    case "text":
      return cutText(block.text, block.characters ?? characters);
    case "thinking":
      return cutText(block.text, characters);
  }
}

/** The sources that a text cites; only scripted texts have any. */
export function citationsOf(block: ResolvedBlock): readonly JsonObject[] {
  return block.kind === "text" ? (block.citations ?? []) : [];
}

function resolveBlock(block: Block, request: ParsedRequest, ids: IdSource): ResolvedBlock {
  if (block.kind !== "call") return block;
  const argumentsText = typeof block.arguments === "string" ? block.arguments : JSON.stringify(block.arguments);
  return { ...block, id: block.id ?? ids(callIdKind(request)), argumentsText };
}

function callIdKind(request: ParsedRequest): "toolu" | "call" | "mistral-call" {
  if (request.api === "anthropic-messages") return "toolu";
  return request.flavor === "mistral" ? "mistral-call" : "call";
}

function lengthOf(block: ResolvedBlock): number {
  switch (block.kind) {
    case "filler":
      return block.bytes;
    case "call":
      return block.name.length + block.argumentsText.length;
    default:
      return block.text.length;
  }
}
