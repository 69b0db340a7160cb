import { batch, type Signal, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type ApiError, getJson } from "./get-json.ts";
import { lengthOf } from "./route.ts";
import { now, range } from "./state.ts";

const QUERY_TIMEOUT_MS = 15_000;
const MAX_CACHED_QUERIES = 40;
/** As long as a page that stays open waits until it asks again by itself. */
const FRESH_MS = 15_000;

/** A question that some part of the page asks, with its last answer. */
interface Asked {
  readonly path: string;
  readonly value: Signal<unknown>;
  readonly refused: Signal<ApiError | undefined>;
  users: number;
  answeredAt: number;
  running: AbortController | undefined;
  /** Something was recorded since the running question was asked. */
  again: boolean;
}

const asked = new Map<string, Asked>();
/** Why the page is not newer, and since when; undefined when it is as new as it can be. */
export const problem = signal<string | undefined>(undefined);
export const answeredAt = signal<number | undefined>(undefined);
/** When something was last recorded, as far as the feed told. */
let changedAt = Number.POSITIVE_INFINITY;

/** Something was recorded; or, while nobody listens, may have been. */
export function mayHaveChanged(at: number): void {
  changedAt = at;
}

export interface Answer<T> {
  /** The last answer; while another question is on its way, that of the question before. */
  readonly value: T | undefined;
  readonly isOld: boolean;
  readonly refused: ApiError | undefined;
}

/** Asks when the part of the page appears, and again whenever something was recorded. */
export function useQuery<T>(path: string): Answer<T> {
  const before = useRef<T>(undefined);
  const question = questionOf(path);
  useEffect(() => {
    question.users++;
    if (!isFresh(question)) void ask(question);
    return () => leave(question);
  }, [question]);
  const value = question.value.value as T | undefined;
  if (value !== undefined) before.current = value;
  return { value: before.current, isOld: value === undefined, refused: question.refused.value };
}

/** The chosen time range as a parameter, and others that are given. */
export function inRange(path: string, parameters: Readonly<Record<string, string | undefined>> = {}): string {
  const since = lengthOf(range.value) === undefined ? undefined : range.value;
  const all: Readonly<Record<string, string | undefined>> = { since, ...parameters };
  const given = Object.entries(all).filter(([, value]) => value !== undefined && value !== "");
  const query = new URLSearchParams(given as [string, string][]).toString();
  return query === "" ? path : `${path}?${query}`;
}

/** Asks everything anew that the page shows. Never throws: what went wrong is shown, and what was there stays. */
export async function refresh(): Promise<void> {
  await Promise.all([...asked.values()].filter(({ users }) => users > 0).map(ask));
}

function questionOf(path: string): Asked {
  const known = asked.get(path);
  if (known !== undefined) return known;
  const fresh: Asked = {
    path,
    value: signal(undefined),
    refused: signal(undefined),
    users: 0,
    answeredAt: 0,
    running: undefined,
    again: false,
  };
  asked.set(path, fresh);
  // Answers of pages that were left stay for a while, so that Back shows them at once.
  for (const old of asked.values()) {
    if (asked.size <= MAX_CACHED_QUERIES) break;
    if (old.users === 0 && old !== fresh) asked.delete(old.path);
  }
  return fresh;
}

/** From one page to the next nothing is asked twice, unless something was recorded in between or the window of time moved. */
function isFresh(question: Asked): boolean {
  return question.answeredAt > changedAt && question.answeredAt > Date.now() - FRESH_MS;
}

function leave(question: Asked): void {
  question.users--;
  if (question.users > 0) return;
  question.running?.abort();
  question.running = undefined;
  question.again = false;
  question.refused.value = undefined;
  tellProblem();
}

/** One at a time: whoever asks while an answer is on its way gets that one first, however slow it is, and then the next. */
async function ask(question: Asked): Promise<void> {
  if (question.running !== undefined) {
    question.again = true;
    return;
  }
  const mine = new AbortController();
  question.running = mine;
  const askedAt = Date.now();
  try {
    const patience = AbortSignal.any([mine.signal, AbortSignal.timeout(QUERY_TIMEOUT_MS)]);
    const value = await getJson(question.path, { signal: patience });
    if (mine.signal.aborted) return;
    batch(() => {
      question.value.value = value;
      question.answeredAt = askedAt;
      question.refused.value = undefined;
      now.value = Date.now();
      answeredAt.value = Date.now();
    });
  } catch (error) {
    if (mine.signal.aborted) return;
    question.refused.value = error as ApiError;
  }
  question.running = undefined;
  tellProblem();
  if (!question.again) return;
  question.again = false;
  await ask(question);
}

/** What does not exist is for its own part of the page to say. */
function tellProblem(): void {
  const refused = [...asked.values()].flatMap(({ users, refused }) => (users > 0 ? [refused.peek()] : []));
  problem.value = refused.find((one) => one !== undefined && one.status !== 404)?.message;
}
