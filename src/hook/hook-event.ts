import { groupKeyText, type Hasher, isValidId, ROOT_AGENT } from "../core/model/call-key.ts";
import { type Fields, isObject as isFields } from "../core/model/narrow.ts";
import type { Observation, ObservationBase, PromptObservation, SessionObservation } from "../core/model/observation.ts";
import { folderName } from "../core/model/session-name.ts";
import { classifyWorkflow } from "../core/score/workflow/classify-workflow.ts";
import type { CallObserver, RawCallObservation } from "../ingest/observe/observe-call.ts";

export { type Fields, isFields };

/** What a reader receives in addition to the payload. Readers are pure functions. */
export interface HookReadContext {
  /** When the event occurred; approximated by its arrival or by the time of its spool file. */
  readonly at: number;
  readonly now: number;
  readonly project: string;
  readonly hash: Hasher;
}

export type RawHookObservation = RawCallObservation | RawPromptObservation | SessionObservation;

/** A prompt with its text. Never leaves memory: {@link toObservation} keeps them only if texts are captured. */
export interface RawPromptObservation extends Omit<PromptObservation, "text"> {
  readonly words: string;
}

/** A transcript path in an event. `due` means that the transcript should be read now. */
export interface TranscriptMention {
  readonly project: string;
  readonly path: string;
  readonly due: boolean;
}

/** Result of reading a payload. Events without information about calls are `read` with no observations. */
export type HookReading =
  | {
      readonly kind: "read";
      readonly rawObservations: readonly RawHookObservation[];
      readonly transcripts?: readonly TranscriptMention[];
    }
  | { readonly kind: "unreadable"; readonly reason: string };

/** Reads the hook payloads of one agent. */
export type HookReader = (payload: unknown, context: HookReadContext) => HookReading;

type Unreadable = Extract<HookReading, { readonly kind: "unreadable" }>;

export function readAs(...rawObservations: readonly RawHookObservation[]): HookReading {
  return { kind: "read", rawObservations };
}

export const NO_OBSERVATIONS: HookReading = readAs();

export function unreadable(reason: string): Unreadable {
  return { kind: "unreadable", reason };
}

/** Names the event in the reason why it is unreadable. */
export function namingEvent(event: string, reading: HookReading): HookReading {
  return reading.kind === "unreadable" ? unreadable(`${event}: ${reading.reason}`) : reading;
}

/** The fields shared by all observations of an event. */
export type BaseReading = { readonly kind: "base"; readonly base: ObservationBase } | Unreadable;

export function baseFields(
  { session, agent }: { readonly session: unknown; readonly agent?: unknown },
  client: { readonly client: string; readonly provider?: string },
  context: HookReadContext,
): BaseReading {
  if (typeof session !== "string" || !isValidId(session)) return unreadable("the session id is invalid");
  if (agent !== undefined && (typeof agent !== "string" || !isValidId(agent)))
    return unreadable("the agent id is invalid");
  const base: ObservationBase = {
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
  return { kind: "base", base };
}

/** Builds the observation of a user message. */
export function promptObservation(base: ObservationBase, id: string, text: string): RawPromptObservation {
  const workflow = text === "" ? undefined : workflowOf(text);
  return { ...base, kind: "prompt", prompt: promptId(id), ...(workflow !== undefined && { workflow }), words: text };
}

/** Derives an id for a message without one. Equal text gives the same id, because an event may be delivered twice. */
export function promptIdFromText(text: string, { session_id }: ObservationBase, { hash }: HookReadContext): string {
  return hash(`prompt\u0000${session_id}\u0000${text}`).slice(0, 16);
}

export function promptId(id: string): string {
  return id.slice(0, 255);
}

/** No known client uses longer ids. */
const MAX_ID_CHARS = 512;

export function isCallId(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= MAX_ID_CHARS;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns a measured duration, or undefined for anything but a finite, non-negative number. */
export function durationOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

const A_DAY = 86_400_000;

/** Parses a client's timestamp to ms. Times more than a day in the future are rejected as implausible. */
export function timeOf(value: unknown, { now }: HookReadContext): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : value;
  return typeof time === "number" && Number.isSafeInteger(time) && time > 0 && time < now + A_DAY ? time : undefined;
}

/**
 * Merges the two events of one call: its own result event, and the batch event with its position in the turn. The store
 * would reach the same state from both; merging here saves it one observation. The batch's result is dropped, because
 * it counts only for calls without a result event.
 */
export function mergeRawObservations(observations: readonly RawHookObservation[]): readonly RawHookObservation[] {
  const ended = new Map<string, { readonly call: RawCallObservation; readonly at: number }>();
  const joined: RawHookObservation[] = [];
  for (const observation of observations) {
    if (!isCall(observation) || observation.result === undefined) {
      joined.push(observation);
      continue;
    }
    const key = groupKeyText(observation);
    const before = ended.get(key);
    if (before !== undefined && isBatch(before.call) !== isBatch(observation)) {
      const [result, batch] = isBatch(before.call) ? [observation, before.call] : [before.call, observation];
      const call = { ...batch, ...result, seen_at: before.call.seen_at };
      ended.set(key, { call, at: before.at });
      joined[before.at] = call;
      continue;
    }
    ended.set(key, { call: observation, at: joined.length });
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

/** Converts raw hook events to observations. Text is reduced to facts here and goes no further. */
export function toObservations(
  observations: readonly RawHookObservation[],
  observer: CallObserver,
): readonly Observation[] {
  return mergeRawObservations(observations).map((one) => toObservation(one, observer));
}

export function toObservation(observation: RawHookObservation, observer: CallObserver): Observation {
  if ("tool_call_id" in observation) return observer.observe(observation);
  if (observation.kind === "session") return observer.admit(observation);
  const { words, ...prompt } = observation;
  return { ...prompt, ...observer.capturePrompt(words) };
}

/** The folder of an event, as a field of the session's observation. Only its name is stored. */
export function folderIn(payload: Fields): { readonly folder?: string } {
  const folder = folderName(textOf(payload.cwd) ?? "");
  return folder === undefined ? {} : { folder };
}

/** The transcript that an event names, if any. It is read if it is `due`. */
export function transcriptIn(path: unknown, { project }: ObservationBase, due: boolean): readonly TranscriptMention[] {
  return typeof path === "string" && path !== "" ? [{ project, path, due }] : [];
}

/** Classifies the workflow of a user message. The text itself is not stored. */
export function workflowOf(prompt: string): string {
  return classifyWorkflow(prompt).workflow;
}
