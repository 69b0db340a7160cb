import { type Hasher, isValidId, ROOT_AGENT } from "../core/model/call-key.ts";
import type { PromptObservation, Seen, SessionObservation } from "../core/model/observation.ts";
import type { CallSighting } from "../ingest/observe/observe-call.ts";
import { workflowOf } from "./transcripts/workflow-of.ts";

/** Everything a reader may know beside the payload: readers are pure. */
export interface HookMoment {
  /** When the event happened, as far as anybody knows: when it arrived, or when it was written down. */
  readonly at: number;
  readonly now: number;
  readonly project: string;
  readonly hash: Hasher;
}

/** What an event shows. */
export type HookSighting = CallSighting | PromptObservation | SessionObservation;

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
      readonly seen: readonly HookSighting[];
      readonly transcripts?: readonly TranscriptMention[];
    }
  | { readonly kind: "unreadable"; readonly reason: string };

/** One agent's payloads, read. */
export type HookReader = (payload: unknown, moment: HookMoment) => HookReading;

export type Fields = { readonly [name: string]: unknown };

export const NOTHING_SEEN: HookReading = { kind: "read", seen: [] };

export function unreadable(reason: string): HookReading {
  return { kind: "unreadable", reason };
}

/** The fields that every sighting of an event shares; a text says why there are none. */
export function seenBy(
  { session, agent }: { readonly session: unknown; readonly agent?: unknown },
  client: { readonly client: string; readonly provider?: string },
  moment: HookMoment,
): Seen | string {
  if (typeof session !== "string" || !isValidId(session)) return "the session's id is not valid";
  if (agent !== undefined && (typeof agent !== "string" || !isValidId(agent))) return "the agent's id is not valid";
  return {
    v: 1,
    project: moment.project,
    session_id: session,
    agent_id: agent ?? ROOT_AGENT,
    source: "hook",
    occurred_at: moment.at,
    seen_at: moment.now,
    live: true,
    ...client,
  };
}

/** A message of the user. Its words are read for the kind of work they ask for, and go no further. */
export function promptSeen(by: Seen, id: string, words: string): PromptObservation {
  const workflow = words === "" ? undefined : workflowOf(words);
  return { ...by, kind: "prompt", prompt: promptId(id), ...(workflow !== undefined && { workflow }) };
}

/** The id of a message that has none of its client: equal words are one prompt, for an event may be delivered twice. */
export function idOfWords(words: string, { session_id }: Seen, { hash }: HookMoment): string {
  return hash(`prompt\u0000${session_id}\u0000${words}`).slice(0, 16);
}

export function promptId(id: string): string {
  return id.slice(0, 255);
}

/** Longer ids are nobody's. */
const LONGEST_ID = 512;

export function isCallId(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= LONGEST_ID;
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
export function timeOf(value: unknown, { now }: HookMoment): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : value;
  return Number.isSafeInteger(time) && (time as number) > 0 && (time as number) < now + A_DAY
    ? (time as number)
    : undefined;
}
