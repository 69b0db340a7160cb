import { present } from "../../model/narrow.ts";
import { partsOf } from "../../wire/gemini/fields.ts";
import { count, type Fields, isArray, isObject } from "../../wire/json.ts";
import {
  type CandidatePart,
  callParts,
  hasEmptyText,
  isEmptied,
  OpenCandidate,
  writeCandidate,
} from "../json/gemini-json.ts";
import { Edits, memberSpans, spanAt } from "../json/json-spans.ts";
import type { RepairTurn, TurnContext } from "../repair-turn.ts";
import type { StreamFrame } from "../types.ts";
import { type QueuedEvent, type StreamReader, UnchangedEvent } from "./queued-event.ts";
import { jsonOf, withData } from "./sse-frame.ts";

/** A candidate of a chunk, by its index in the chunk's list. */
interface ChunkCandidate {
  readonly at: number;
  readonly index: number;
  readonly part: CandidatePart;
  readonly partCount: number;
}

/** Reads a stream of responses as one turn per candidate. */
export class GeminiStream implements StreamReader {
  readonly #context: TurnContext;
  readonly #candidates = new Map<number, OpenCandidate>();
  /** Latest chunk; template for generated chunks. */
  #latest: StreamFrame | undefined;

  constructor(context: TurnContext) {
    this.#context = context;
  }

  get turns(): Iterable<RepairTurn> {
    return [...this.#candidates.values()].map(({ turn }) => turn);
  }

  read(frame: StreamFrame): QueuedEvent {
    const body = jsonOf(frame);
    if (!isObject(body)) return new UnchangedEvent(frame);
    if (body.error !== undefined && body.error !== null) for (const turn of this.turns) turn.end("error");
    const candidates = isArray(body.candidates) ? body.candidates : [];
    if (candidates.length === 0) return new UnchangedEvent(frame);
    this.#latest = frame;
    const read = candidates.flatMap((candidate, at) =>
      isObject(candidate) ? [this.#readCandidate(candidate, at)] : [],
    );
    return { frame, isReady: () => read.every(isReady), render: () => render(frame, read) };
  }

  /**
   * A chunk with an empty text. Clients of this API treat a comment as a malformed chunk, and an array cannot contain
   * one.
   */
  keepAlive(): Uint8Array | undefined {
    const frame = this.#latest;
    if (frame?.data === undefined || (frame.framing ?? "events") !== "events") return undefined;
    return withData(frame, generateChunk(frame.data, 0, ['{"text":""}']));
  }

  #readCandidate(candidate: Fields, at: number): ChunkCandidate {
    const index = count(candidate.index) ?? at;
    const open = this.#candidates.get(index) ?? new OpenCandidate(this.#context);
    this.#candidates.set(index, open);
    return { at, index, part: open.read(candidate), partCount: partsOf(candidate.content).length };
  }
}

/** Members that every chunk of a response repeats. */
const REPEATED = new Set(["modelVersion", "responseId"]);

/** Copies a chunk with other parts, and without counts. */
function generateChunk(template: string, index: number, parts: readonly string[]): string {
  const same = [...(memberSpans(template, 0) ?? [])].filter(([name]) => REPEATED.has(name));
  const members = same.map(([name, { start, end }]) => `,${JSON.stringify(name)}:${template.slice(start, end)}`);
  const candidate = `{"content":{"parts":[${parts.join(",")}],"role":"model"},"index":${index}}`;
  return `{"candidates":[${candidate}]${members.join("")}}`;
}

/** Empty text starts nothing, so its chunk need not wait. */
function isReady({ part: { turn, segment, texts } }: ChunkCandidate): boolean {
  const last = texts.findLast(({ start, end }) => start < end);
  return last === undefined || turn.canEmit(segment, last.end);
}

function render(frame: StreamFrame, candidates: readonly ChunkCandidate[]): readonly Uint8Array[] {
  if (!candidates.some(({ part }) => part.turn.isRepaired || part.names.size > 0)) return [frame.raw];
  // Counts and ids of a chunk are repeated in the last one. An element of an array carries its separator and must stay.
  const isDroppable = (frame.framing ?? "events") === "events";
  const data = present(frame.data);
  const isEmpty = ({ at, part, partCount }: ChunkCandidate): boolean =>
    isEmptied(part, partCount) && !hasEmptyText(data, spanAt(data, ["candidates", at]), part);
  if (isDroppable && candidates.every(isEmpty)) return [];
  const edits = new Edits();
  const before: Uint8Array[] = [];
  for (const { at, index, part } of candidates) {
    const span = spanAt(data, ["candidates", at]);
    const calls = callParts(part);
    const isApart = isDroppable && calls.length > 0 && hasEmptyText(data, span, part);
    if (isApart) before.push(withData(frame, generateChunk(data, index, calls)));
    writeCandidate(data, span, part, edits, isApart ? [] : calls);
  }
  return [...before, edits.hasEdits ? withData(frame, edits.apply(data)) : frame.raw];
}
