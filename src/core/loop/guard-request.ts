import { isArray, isObject } from "../model/narrow.ts";
import { SPACE } from "../text/char-codes.ts";
import { isMessageThread } from "../wire/identity.ts";
import { type Api, type DecodedRequest, type HistoryCall, historyField } from "../wire/turn.ts";
import { finishedCall } from "./find-loops.ts";
import type { IsIgnored } from "./ignored-calls.ts";
import { LOOP_LEVELS, type Loop, type LoopKind, type LoopLevel, LoopSignal, MAX_IGNORED_RUN } from "./loop-signal.ts";

/** A note to append to the last result of a message. */
export interface GuardNote {
  /** Index of the message or item. */
  readonly at: number;
  readonly text: string;
  readonly level: LoopLevel;
}

export interface GuardDecision {
  /** In order of their messages; the same for every later request of the conversation. */
  readonly notes: readonly GuardNote[];
  /** The loop that the newest results continue, from level `loop` on. */
  readonly loop?: OpenLoop;
  /** Whether the request must not be sent. */
  readonly stop: boolean;
}

export interface OpenLoop {
  readonly kind: LoopKind;
  readonly period: number;
  readonly run: number;
  readonly tools: readonly string[];
  /** Identifies the state of the conversation, so that a repeated request is counted once. */
  readonly state: string;
}

const PASS: GuardDecision = { notes: [], stop: false };

/**
 * Decides about a request by its history alone. So every later request of the conversation, a retry and another server
 * get the same notes at the same places, and the provider's cache stays valid. Returns no notes for a conversation that
 * the provider stores, because it would not contain them, and none for a request without tools. Runs in which every
 * call is ignored get no notes, and are stopped later.
 */
export function guardRequest(
  api: Api,
  body: unknown,
  request: DecodedRequest,
  isIgnored: IsIgnored = () => false,
): GuardDecision {
  if (request.tools.length === 0 || isStoredConversation(api, body)) return PASS;
  const segments = repeatingSegments(request);
  if (segments.length === 0) return PASS;
  const notes: GuardNote[] = [];
  let last: OpenLoop | undefined;
  let isLastIgnored = false;
  for (const { calls, isNewest } of segments) {
    const signal = new LoopSignal<number>();
    for (const turn of finishedTurns(calls)) {
      const finished = turn.flatMap((call) =>
        finishedCall(call).map((one) => ({ ...one, ignored: isIgnored(one.tool, call.arguments) })),
      );
      if (finished.length === 0) continue;
      const before = signal.run;
      const at = resultIndex(turn);
      signal.turn(finished, at);
      const level = NOTED_LEVELS.find((one) => before < one && one <= signal.run);
      const loop = signal.current;
      if (level !== undefined && loop !== undefined && !signal.isIgnored)
        notes.push({ at, level, text: noteText(level, loop) });
    }
    if (isNewest) last = openLoop(signal, calls);
    if (isNewest) isLastIgnored = signal.isIgnored;
  }
  const isHuman = endsWithHuman(request);
  return {
    notes: notes.sort((a, b) => a.at - b.at),
    stop: last !== undefined && last.run >= (isLastIgnored ? MAX_IGNORED_RUN : LOOP_LEVELS.stop) && !isHuman,
    ...(last !== undefined && !isHuman && { loop: last }),
  };
}

function isStoredConversation(api: Api, body: unknown): boolean {
  if (!isObject(body)) return false;
  if (api === "anthropic") return isMessageThread(body);
  return api === "responses" && (body.previous_response_id ?? body.conversation ?? null) !== null;
}

/** A person wrote after the last call, so the next turn is a new task, whatever the text. */
function endsWithHuman({ calls, prompts }: DecodedRequest): boolean {
  return prompts.at(-1)?.calls === calls.length;
}

interface Segment {
  readonly calls: readonly HistoryCall[];
  readonly isNewest: boolean;
}

/**
 * The parts of a history between human messages that may contain a loop: at least three calls have the same name and
 * the same words in their arguments as an earlier one. Nearly all requests have none, and are not parsed further.
 */
function repeatingSegments({ calls, prompts }: DecodedRequest): readonly Segment[] {
  const starts = [...new Set([0, ...prompts.map(({ calls: before }) => before)])];
  return starts.flatMap((start, index) => {
    const end = starts[index + 1] ?? calls.length;
    if (end - start <= LOOP_LEVELS.loop) return [];
    const part = calls.slice(start, end);
    return countRepeats(part) < LOOP_LEVELS.loop ? [] : [{ calls: part, isNewest: end === calls.length }];
  });
}

function countRepeats(calls: readonly HistoryCall[]): number {
  const seen = new Set<string>();
  let repeats = 0;
  for (const { name = "", arguments: args } of calls) {
    const key = `${name} ${wordSum(args)}`;
    if (seen.has(key)) repeats += 1;
    else seen.add(key);
  }
  return repeats;
}

/** Equal for arguments that differ only in white space and in the order of keys: a sum over their words. */
function wordSum(args: unknown): number {
  let text: string;
  try {
    text = typeof args === "string" ? args : (JSON.stringify(args) ?? "");
  } catch {
    // Nested too deeply to serialize: then all such arguments count as equal, and the signal decides.
    return 0;
  }
  let sum = 0;
  let word = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > SPACE && !SEPARATORS.has(code)) word = Math.imul(word ^ code, 0x01000193) + 1;
    else if (word !== 0) {
      sum = (sum + Math.imul(word ^ (word >>> 15), 0x85ebca6b)) | 0;
      word = 0;
    }
  }
  return (sum + word) | 0;
}

/** Characters between the words of a JSON text. */
const SEPARATORS: ReadonlySet<number> = new Set(Array.from('{}[],:"', (one) => one.charCodeAt(0)));

/**
 * The turns whose calls all have results, in the order of their last results. So a result that arrives later changes
 * nothing before it.
 */
function finishedTurns(calls: readonly HistoryCall[]): readonly (readonly HistoryCall[])[] {
  const turns: HistoryCall[][] = [];
  for (const call of calls) {
    const last = turns.at(-1);
    if (last !== undefined && call.turn !== undefined && last[0]?.turn === call.turn) last.push(call);
    else turns.push([call]);
  }
  return turns
    .filter((turn) => turn.every(({ result }) => result !== undefined))
    .sort((a, b) => resultIndex(a) - resultIndex(b));
}

function resultIndex(turn: readonly HistoryCall[]): number {
  return turn.reduce((last, { resultAt = 0 }) => Math.max(last, resultAt), 0);
}

function openLoop(signal: LoopSignal<number>, calls: readonly HistoryCall[]): OpenLoop | undefined {
  const loop = signal.current;
  if (loop === undefined) return undefined;
  const { kind, period, run, tools } = loop;
  const newest = calls.at(-1);
  return { kind, period, run, tools, state: `${newest?.id ?? ""}/${newest?.n ?? 0}/${calls.length}/${run}` };
}

/**
 * Repeating a note changes nothing, so there are only two. The later one first: a turn of many calls may reach both.
 */
const NOTED_LEVELS: readonly LoopLevel[] = [LOOP_LEVELS.alarm, LOOP_LEVELS.loop];
const ADVICE = "A different call, different arguments, or an answer to the user would bring something new.";

/**
 * The wording is part of every later request. Changing it changes earlier places, which costs one miss of the
 * provider's cache. The note gives no order and repeats no text of the conversation.
 */
function noteText(level: LoopLevel, { run, period }: Loop<number>): string {
  if (level === LOOP_LEVELS.alarm)
    return `[toolmend] ${run} calls in a row have now brought nothing new, and repeating them gives the same again. If they do not lead further, tell the user what was tried and what is missing.`;
  return period === 1
    ? `[toolmend] This call has now been made ${run + 1} times in a row with the same result; nothing has changed since the first. ${ADVICE}`
    : `[toolmend] The last ${run} calls repeated earlier ones with the same results; nothing has changed since. ${ADVICE}`;
}

/** The list of messages or items of a request; undefined if it has entries that are not objects. */
export function messageList(api: Api, body: unknown): readonly unknown[] | undefined {
  const list = isObject(body) ? body[historyField(api)] : undefined;
  return isArray(list) && list.every(isObject) ? list : undefined;
}

/** A line for the person who uses the stopped agent. */
export function stopText({ run, tools, kind }: Pick<OpenLoop, "run" | "tools" | "kind">): string {
  const what = kind === "failing" ? "same failure" : "same result";
  return (
    `Toolmend stopped this agent: the last ${run + 1} calls brought nothing new (${tools.slice(0, 4).map(shownName).join(", ")}, ${what}). ` +
    "Nothing was sent to the model. To go on, write any message. To switch this off: toolmend guard observe"
  );
}

const PLAIN_NAME = /^[\w.:/-]{1,64}$/;

/**
 * The model wrote the name, and a terminal shows it, so only plain names are shown: others may contain control codes or
 * sentences.
 */
function shownName(name: string): string {
  return PLAIN_NAME.test(name) ? name : "a tool with an unusual name";
}
