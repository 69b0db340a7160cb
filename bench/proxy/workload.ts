/** A family of requests: sessions with several turns, each of which adds new results. */
export interface Workload {
  /** Also the project its calls are recorded under. */
  readonly name: string;
  readonly api: "anthropic" | "chat";
  readonly sessions: number;
  /** Pairs of call and result in a session's first request. */
  readonly firstPairs: number;
  /** New pairs in each later request. The response makes the first of them, the others appear only in the history. */
  readonly pairsPerTurn: number;
  /** Average length of a result's text. */
  readonly resultLength: number;
  /** All requests are the same: nothing is new after the first. */
  readonly replay?: boolean;
}

/** The calls that a store must contain after the given number of turns of every session. */
export interface ExpectedCounts {
  readonly calls: number;
  readonly pending: number;
  readonly sessions: number;
  readonly requests: number;
}

export function expectedCounts(workload: Workload, requests: number): ExpectedCounts {
  const turns = requests / workload.sessions;
  if (!Number.isInteger(turns) || turns < 1)
    throw new Error(`${workload.name} sent ${requests} requests, which is not a whole number of turns`);
  const shown = workload.replay === true ? workload.firstPairs : pairsAt(workload, turns - 1);
  // The call of the last response has no result yet.
  return {
    calls: workload.sessions * shown,
    pending: workload.sessions,
    sessions: workload.sessions,
    requests,
  };
}

export function sessionName(workload: Workload, session: number): string {
  return `${workload.name}-${session}`;
}

/** Random enough not to be mistaken for a counter that a server reuses. */
export function callId(workload: Workload, session: number, pair: number): string {
  const number = (value: number): string => value.toString(36).padStart(4, "0");
  return `toolu_01${workload.name.replace(/\W/g, "")}${number(session)}x${number(pair)}`;
}

/** Pairs of call and result in a session's history at a turn. */
export function pairsAt(workload: Workload, turn: number): number {
  return workload.firstPairs + turn * workload.pairsPerTurn;
}
