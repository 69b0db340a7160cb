import { batch, type Signal, signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type ApiError, getJson } from "./get-json.ts";
import { lengthOf } from "./route.ts";
import { customRange, now, place, range } from "./state.ts";

const QUERY_TIMEOUT_MS = 15_000;
const MAX_CACHED_QUERIES = 40;
/** Equals the refresh interval of an open page. */
const FRESH_MS = 15_000;

/** State of a query that parts of the page use. */
interface QueryState {
  readonly path: string;
  readonly value: Signal<unknown>;
  readonly error: Signal<ApiError | undefined>;
  users: number;
  updatedAt: number;
  running: AbortController | undefined;
  /** Something was recorded since the running request started. */
  again: boolean;
}

const queries = new Map<string, QueryState>();
/** Why the last refresh failed; undefined if it succeeded. */
export const problem = signal<string | undefined>(undefined);
export const updatedAt = signal<number | undefined>(undefined);
/** When something was last recorded, according to the live feed. */
let changedAt = Number.POSITIVE_INFINITY;

/** Marks cached results as outdated. Infinity means that changes cannot be observed, so nothing counts as fresh. */
export function markChanged(at: number): void {
  changedAt = at;
}

export interface QueryResult<T> {
  /** The last result; while another query loads, that of the previous query. */
  readonly value: T | undefined;
  readonly isOld: boolean;
  readonly error: ApiError | undefined;
}

/** Fetches when the component mounts, and again whenever something was recorded. Without a path, nothing is fetched. */
export function useQuery<T>(path: string | undefined): QueryResult<T> {
  const before = useRef<T>(undefined);
  const state = queryStateOf(path ?? "");
  useEffect(() => {
    if (state.path === "") return undefined;
    state.users++;
    // Components that mount together share one request.
    if (state.running === undefined && !isFresh(state)) void runQuery(state);
    return () => releaseQuery(state);
  }, [state]);
  const value = state.value.value as T | undefined;
  if (value !== undefined) before.current = value;
  return { value: before.current, isOld: value === undefined, error: state.error.value };
}

/** Adds the selected time range and the given parameters to a path. */
export function inRange(path: string, parameters: Readonly<Record<string, string | undefined>> = {}): string {
  const { since: from, until } = place.value.query;
  const since = lengthOf(range.value) === undefined ? undefined : range.value;
  const times = customRange.value === undefined ? { since } : { since: from, until };
  const all: Readonly<Record<string, string | undefined>> = { ...times, ...parameters };
  const given = Object.entries(all).filter(([, value]) => value !== undefined && value !== "");
  const query = new URLSearchParams(given as [string, string][]).toString();
  return query === "" ? path : `${path}?${query}`;
}

/** Refetches all queries in use. Never throws: errors are shown, and previous results remain. */
export async function refresh(): Promise<void> {
  await Promise.all([...queries.values()].filter(({ users }) => users > 0).map(runQuery));
}

function queryStateOf(path: string): QueryState {
  const known = queries.get(path);
  if (known !== undefined) return known;
  const created: QueryState = {
    path,
    value: signal(undefined),
    error: signal(undefined),
    users: 0,
    updatedAt: 0,
    running: undefined,
    again: false,
  };
  queries.set(path, created);
  // Results of pages the user left remain cached for a while, so that Back shows them immediately.
  for (const old of queries.values()) {
    if (queries.size <= MAX_CACHED_QUERIES) break;
    if (old.users === 0 && old !== created) queries.delete(old.path);
  }
  return created;
}

/** Avoids refetching on navigation, unless something was recorded or the time range moved. */
function isFresh(state: QueryState): boolean {
  return state.updatedAt > changedAt && state.updatedAt > Date.now() - FRESH_MS;
}

function releaseQuery(state: QueryState): void {
  state.users--;
  if (state.users > 0) return;
  state.running?.abort();
  state.running = undefined;
  state.again = false;
  state.error.value = undefined;
  updateProblem();
}

/** Runs one request per query at a time. A request during a running one is made once afterwards. */
async function runQuery(state: QueryState): Promise<void> {
  if (state.running !== undefined) {
    state.again = true;
    return;
  }
  const controller = new AbortController();
  state.running = controller;
  const startedAt = Date.now();
  try {
    const abort = AbortSignal.any([controller.signal, AbortSignal.timeout(QUERY_TIMEOUT_MS)]);
    const value = await getJson(state.path, { signal: abort });
    if (controller.signal.aborted) return;
    batch(() => {
      state.value.value = value;
      state.updatedAt = startedAt;
      state.error.value = undefined;
      now.value = Date.now();
      updatedAt.value = Date.now();
    });
  } catch (error) {
    if (controller.signal.aborted) return;
    state.error.value = error as ApiError;
  }
  state.running = undefined;
  updateProblem();
  if (!state.again) return;
  state.again = false;
  await runQuery(state);
}

/** A 404 is shown by the component itself. */
function updateProblem(): void {
  const errors = [...queries.values()].flatMap(({ users, error }) => (users > 0 ? [error.peek()] : []));
  problem.value = errors.find((one) => one !== undefined && one.status !== 404)?.message;
}
