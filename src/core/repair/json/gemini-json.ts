import { present } from "../../model/narrow.ts";
import { placeholderId } from "../../wire/call-position.ts";
import { callOf, field, isCallPart, partsOf, spelling, visibleText } from "../../wire/gemini/fields.ts";
import { type Fields, isArray, isObject, objects, text } from "../../wire/json.ts";
import { RepairTurn, type TurnContext } from "../repair-turn.ts";
import { stopProblem } from "../stop-reason.ts";
import type { TextSegment } from "../text-segment.ts";
import type { RepairedCall } from "../types.ts";
import { Edits, itemSpans, type JsonSpan, JsonSpans, memberSpans, rebuildList, spanAt } from "./json-spans.ts";
import { rebuildObject } from "./rebuild-object.ts";

/** Reads a response as one turn per candidate; `write` returns the repaired source. */
export function geminiJson(
  body: Fields,
  context: TurnContext,
): { readonly turns: readonly RepairTurn[]; readonly write: (source: string) => string } {
  const candidates = isArray(body.candidates) ? body.candidates : [];
  const read = candidates.map((candidate) => {
    const open = new OpenCandidate(context);
    const part = open.read(isObject(candidate) ? candidate : {});
    open.turn.end("aborted");
    return part;
  });
  const write = (source: string): string => {
    const edits = new Edits();
    const spans = new JsonSpans(source);
    for (const [at, part] of read.entries()) writeCandidate(source, spans.at(["candidates", at]), part, edits);
    return edits.apply(source);
  };
  return { turns: read.map(({ turn }) => turn), write };
}

/** A text of a chunk: the index of its part, and its range in the segment. */
interface PartText {
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

/** What a chunk contains of one candidate. */
export interface CandidatePart {
  readonly turn: RepairTurn;
  readonly segment: TextSegment;
  readonly texts: readonly PartText[];
  /** Corrected names of native calls, by the index of their part. */
  readonly names: ReadonlyMap<number, string>;
  /** Whether the calls of a repaired turn are added to this part. */
  readonly finishes: boolean;
  /** Whether the provider withheld the call. */
  readonly isMalformed: boolean;
  readonly signsCalls: boolean;
}

const MALFORMED = "MALFORMED_FUNCTION_CALL";
/** Text that the provider writes before the text of the model. */
const MALFORMED_PREFIX = /^\s{0,8}Malformed function call:?\s{0,8}/i;

/** One candidate of a response, read chunk by chunk. */
export class OpenCandidate {
  readonly turn: RepairTurn;
  readonly #segment: TextSegment;
  readonly #signsCalls: boolean;
  #calls = 0;

  constructor(context: TurnContext) {
    this.turn = new RepairTurn(context);
    this.#segment = this.turn.newSegment();
    this.#signsCalls = context.options.signsCalls === true;
  }

  read(candidate: Fields): CandidatePart {
    const { turn } = this;
    const parts = partsOf(candidate.content);
    const names = new Map<number, string>();
    const texts: PartText[] = [];
    forbidReferences(turn, candidate);
    for (const [at, part] of parts.entries()) {
      if (isCallPart(part)) this.#readCall(part, at, names);
      const written = turn.isOver ? undefined : visibleText(part);
      if (written === undefined) continue;
      const start = this.#segment.length;
      this.#segment.push(written);
      texts.push({ at, start, end: start + written.length });
    }
    const reason = turn.isOver ? undefined : text(field(candidate, "finishReason"));
    const isMalformed = reason === MALFORMED;
    if (isMalformed) this.#endMalformed(text(field(candidate, "finishMessage")) ?? "");
    else if (reason !== undefined) turn.end(stopProblem(reason));
    const finishes = reason !== undefined;
    return { turn, segment: this.#segment, texts, names, finishes, isMalformed, signsCalls: this.#signsCalls };
  }

  #readCall(part: unknown, at: number, names: Map<number, string>): void {
    this.turn.forbid("native-call");
    const call = callOf(part);
    if (call === undefined) return;
    const name = this.turn.rename(call.id ?? placeholderId(this.#calls), call.name);
    if (name !== undefined) names.set(at, name);
    this.#calls += 1;
  }

  /** The message must be a single call, and the turn must have no other. */
  #endMalformed(message: string): void {
    const { turn } = this;
    const withheld = turn.newSegment();
    withheld.push(message.replace(MALFORMED_PREFIX, ""));
    withheld.end();
    const [match, ...others] = withheld.accepted;
    const isOneCall = match?.calls.length === 1 && others.length === 0 && withheld.isRemoved;
    this.#segment.end();
    if (!isOneCall || this.#segment.accepted.length > 0) turn.forbid("malformed-call");
    turn.end();
    if (withheld.accepted.length + withheld.unrepaired.length > 0) return;
    turn.report({
      ...{ result: "left", format: "malformed-function-call", reason: "malformed-call" },
      ...{ repairs: [], parsed: 0, dropped: 0, names: [], tool_call_ids: [] },
    });
  }
}

/** Positions in the text could not be rewritten to match the changed one. */
function forbidReferences(turn: RepairTurn, candidate: Fields): void {
  const [grounding, citations] = [field(candidate, "groundingMetadata"), field(candidate, "citationMetadata")];
  const hasSupports = isObject(grounding) && objects(field(grounding, "groundingSupports")).length > 0;
  const sources = isObject(citations) ? (field(citations, "citationSources") ?? citations.citations) : undefined;
  if (hasSupports || objects(sources).length > 0) turn.forbid("citations");
  if (isObject(field(candidate, "logprobsResult"))) turn.forbid("logprobs");
}

/** True if the chunk's texts all vanish and it has no other part. */
export function isEmptied({ turn, segment, texts, finishes }: CandidatePart, partCount: number): boolean {
  if (!turn.isRepaired || finishes || texts.length === 0 || texts.length < partCount) return false;
  return (
    texts.some(({ start, end }) => start < end) && texts.every((one) => segment.remaining(one.start, one.end) === "")
  );
}

/** The calls of a repaired turn as parts, in the chunk that ends it. */
export function callParts({ turn, finishes, signsCalls }: CandidatePart): readonly string[] {
  if (!turn.isRepaired || !finishes) return [];
  return turn.calls.map((call, index) => callPart(call, signsCalls && index === 0));
}

/**
 * Whether the chunk has an empty text with more than the text, such as a signature, which must stay. Clients leave out
 * chunks with an empty text when they keep a turn, so the calls need a separate chunk.
 */
export function hasEmptyText(source: string, candidate: JsonSpan | undefined, part: CandidatePart): boolean {
  const parts = candidate && spanAt(source, ["content", "parts"], candidate.start);
  const items = (parts && itemSpans(source, parts.start)) ?? [];
  return part.texts.some(({ at, start, end }) => {
    const members = memberSpans(source, present(items[at]).start);
    return part.segment.remaining(start, end) === "" && (members?.size ?? 0) > 1;
  });
}

/** Writes the changes of a candidate: texts without calls, names, and the calls of a repaired turn. */
export function writeCandidate(
  source: string,
  candidate: JsonSpan | undefined,
  part: CandidatePart,
  edits: Edits,
  calls: readonly string[] = callParts(part),
): void {
  if (candidate === undefined) return;
  const { turn, names, isMalformed } = part;
  const content = spanAt(source, ["content"], candidate.start);
  const parts = content && memberSpans(source, content.start)?.get("parts");
  const items = names.size === 0 ? [] : ((parts && itemSpans(source, parts.start)) ?? []);
  for (const [at, name] of names) {
    const span = nameSpan(source, items[at]);
    if (span !== undefined) edits.replace(span, JSON.stringify(name));
  }
  if (!turn.isRepaired) return;
  if (isMalformed) {
    writeWithheld(source, candidate, content, parts, calls, edits);
    return;
  }
  const list = newParts(source, parts, part, calls);
  if (list === undefined) return;
  if (parts !== undefined) edits.replace(parts, list);
  else if (content === undefined) edits.insert(candidate.start + 1, `"content":{"parts":${list},"role":"model"},`);
  else edits.replace(content, rebuildObject(source, content.start, new Map([["parts", list]])));
}

function nameSpan(source: string, part: JsonSpan | undefined): JsonSpan | undefined {
  const call = part && (spanAt(source, ["functionCall"], part.start) ?? spanAt(source, ["function_call"], part.start));
  return call && spanAt(source, ["name"], call.start);
}

/**
 * The list of parts with the calls appended; undefined if nothing changes. Parts with other content keep their place.
 */
function newParts(
  source: string,
  parts: JsonSpan | undefined,
  { segment, texts }: CandidatePart,
  calls: readonly string[],
): string | undefined {
  const items = (parts && itemSpans(source, parts.start)) ?? [];
  const edits = new Edits();
  const removed = new Set<number>();
  for (const { at, start, end } of texts) {
    const remainder = segment.remaining(start, end);
    const members = memberSpans(source, present(items[at]).start);
    const span = members?.get("text");
    if (remainder === "" && members?.size === 1) removed.add(at);
    if (span !== undefined && remainder.length < end - start) edits.replace(span, JSON.stringify(remainder));
  }
  if (!edits.hasEdits && calls.length === 0) return undefined;
  // A list without parts, or with an empty one, would make clients drop the turn.
  const isEmpty = calls.length === 0 && removed.size === items.length;
  return rebuildList(source, items, edits, (index) => !isEmpty && removed.has(index), calls);
}

function writeWithheld(
  source: string,
  candidate: JsonSpan,
  content: JsonSpan | undefined,
  parts: JsonSpan | undefined,
  calls: readonly string[],
  edits: Edits,
): void {
  const items = (parts && itemSpans(source, parts.start)) ?? [];
  // Without a call, servers send an empty part or an empty text.
  const isBlank = (index: number): boolean => {
    const { start, end } = present(items[index]);
    const members = memberSpans(source, start);
    return members?.size === 0 || (members?.size === 1 && /:\s*""\s*\}$/.test(source.slice(start, end)));
  };
  const list = rebuildList(source, items, new Edits(), isBlank, calls);
  const isContent = content !== undefined && memberSpans(source, content.start) !== undefined;
  const role = isContent && memberSpans(source, content.start)?.has("role") === true ? [] : [['"model"'] as const];
  const changes = new Map([["parts", list], ...role.map(([value]) => ["role", value] as const)]);
  const fields: Fields = Object.fromEntries(
    [...(memberSpans(source, candidate.start)?.keys() ?? [])].map((name) => [name, true]),
  );
  edits.replace(
    candidate,
    rebuildObject(
      source,
      candidate.start,
      new Map([
        ["content", rebuildObject(isContent ? source : "{}", isContent ? content.start : 0, changes)],
        [spelling(fields, "finishReason"), '"STOP"'],
        [spelling(fields, "finishMessage"), undefined],
      ]),
    ),
  );
}

/** The value that Google documents for calls that did not come from its models. */
const NO_SIGNATURE = ',"thoughtSignature":"skip_thought_signature_validator"';

function callPart({ id, name, arguments: args }: RepairedCall, isSigned: boolean): string {
  const call = `{"id":${JSON.stringify(id)},"name":${JSON.stringify(name)},"args":${args}}`;
  return `{"functionCall":${call}${isSigned ? NO_SIGNATURE : ""}}`;
}
