import { groupKeyText, type Hasher, isValidId, ROOT_AGENT } from "../core/model/call-key.ts";
import type { PromptObservation, Seen, SessionObservation } from "../core/model/observation.ts";
import type { RawCallObservation } from "../ingest/observe/observe-call.ts";
import { workflowOf } from "./transcripts/workflow-of.ts";

/** Everything a reader may know beside the payload: readers are pure. */
export interface HookReadContext {
  /** When the event happened, as far as anybody knows: when it arrived, or when it was written down. */
  readonly at: number;
  readonly now: number;
  readonly project: string;
  readonly hash: Hasher;
}

/** What an event shows. */
export type RawHookObservation = RawCallObservation | PromptObservation | SessionObservation;

/** A transcript the event speaks of, and whether it is worth reading now. */
export interface TranscriptMention {
  readonly project: string;
  readonly path: string;
  readonly due: boolean;
}

/** What a reader made of a payload. An event that says nothing about calls is read and shows nothing. */
export type HookReading =
  | {
      readonly kind: "read";
      readonly rawObservations: readonly RawHookObservation[];
      readonly transcripts?: readonly TranscriptMention[];
    }
  | { readonly kind: "unreadable"; readonly reason: string };

/** One agent's payloads, read. */
export type HookReader = (payload: unknown, context: HookReadContext) => HookReading;

export type Fields = { readonly [name: string]: unknown };

export const NO_OBSERVATIONS: HookReading = { kind: "read", rawObservations: [] };

export function unreadable(reason: string): HookReading {
  return { kind: "unreadable", reason };
}

/** The fields that every sighting of an event shares; a text says why there are none. */
export function baseFields(
  { session, agent }: { readonly session: unknown; readonly agent?: unknown },
  client: { readonly client: string; readonly provider?: string },
  context: HookReadContext,
): Seen | string {
  if (typeof session !== "string" || !isValidId(session)) return "the session's id is not valid";
  if (agent !== undefined && (typeof agent !== "string" || !isValidId(agent))) return "the agent's id is not valid";
  return {
    v: 1,
    project: context.project,
    session_id: session,
    agent_id: agent ?? ROOT_AGENT,
    source: "hook",
    occurred_at: context.at,
    seen_at: context.now,
    live: true,
    ...client,
  };
}

/** A message of the user. Its words are read for the kind of work they ask for, and go no further. */
export function promptObservation(base: Seen, id: string, text: string): PromptObservation {
  const workflow = text === "" ? undefined : workflowOf(text);
  return { ...base, kind: "prompt", prompt: promptId(id), ...(workflow !== undefined && { workflow }) };
}

/** The id of a message that has none of its client: equal words are one prompt, for an event may be delivered twice. */
export function promptIdFromText(text: string, { session_id }: Seen, { hash }: HookReadContext): string {
  return hash(`prompt\u0000${session_id}\u0000${text}`).slice(0, 16);
}

export function promptId(id: string): string {
  return id.slice(0, 255);
}

/** Longer ids are nobody's. */
const MAX_ID_CHARS = 512;

export function isCallId(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= MAX_ID_CHARS;
}

export function isFields(value: unknown): value is Fields {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A span of time that a program measured; anything else is not known. */
export function durationOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

const A_DAY = 86_400_000;

/** A time that a program's clock gave, in ms; undefined where it cannot be one. */
export function timeOf(value: unknown, { now }: HookReadContext): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : value;
  return Number.isSafeInteger(time) && (time as number) > 0 && (time as number) < now + A_DAY
    ? (time as number)
    : undefined;
}

/**
 * Puts together what two events of one context say about one call: how it ended, and, from the batch it was part of, its place in
 * the turn. The store would come to the same from both; so it has one to look at. What the batch says of a result counts only where
 * nothing else tells of it, so it is not even read here.
 */
export function mergeRawObservations(observations: readonly RawHookObservation[]): readonly RawHookObservation[] {
  const ended = new Map<string, number>();
  const joined: RawHookObservation[] = [];
  for (const observation of observations) {
    const key = isCall(observation) && observation.result !== undefined ? groupKeyText(observation) : undefined;
    const at = key === undefined ? undefined : ended.get(key);
    const before = at === undefined ? undefined : (joined[at] as RawCallObservation);
    if (before !== undefined && isBatch(before) !== isBatch(observation as RawCallObservation)) {
      const [told, batch] = isBatch(before)
        ? [observation as RawCallObservation, before]
        : [before, observation as RawCallObservation];
      joined[at as number] = { ...batch, ...told, seen_at: before.seen_at };
      continue;
    }
    if (key !== undefined) ended.set(key, joined.length);
    joined.push(observation);
  }
  return joined;
}

function isCall(observation: RawHookObservation): observation is RawCallObservation {
  return "tool_call_id" in observation;
}

function isBatch({ result }: RawCallObservation): boolean {
  return result?.stage === "unrun";
}
