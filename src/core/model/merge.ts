import type { CallKey } from "./call-key.ts";
import type { CallFacts, CallRecord } from "./call-record.ts";
import { type Fact, pickFact, sameValue } from "./facts.ts";
import type { ArgumentFacts, CallLocation, CallObservation, ResultFacts, Source } from "./observation.ts";
import { DERIVED_PROMPT_ID } from "./prompt-record.ts";

/** Ranks of locations as a source of the tool name and the arguments. */
const CALL_RANK = { response: 4, exact: 3, history: 2, newest: 1, known: 0 } as const satisfies Record<
  CallLocation["kind"],
  number
>;

/** A protocol flag overrides a transcript, a transcript overrides a hook, and a hook overrides classified text. */
const OUTCOME_RANK = { proxy: 1, library: 4, transcript: 3, hook: 2, mcp: 3.5 } as const satisfies Record<
  Source,
  number
>;
const FLAG_RANK = 4;
/** A failure that the tool itself reports. Most clients hide it from the model. */
const TOOL_FAILURE_RANK = 5;
/** A result that the client may have replaced: what the client reports takes precedence. */
const REPLACEABLE_RANK = 0.9;
const PROVISIONAL_RANK = 0;
/** Below every source that observed the tool run, above classified text. */
const UNRUN_RANK = 1.5;

/** Creates a record from one observation. */
export function recordOf(observation: CallObservation, key: CallKey): CallRecord {
  const place = locationKey(observation.place);
  return {
    kind: "call-record",
    key,
    facts: factsOf(observation),
    places: place === undefined ? [] : [place],
    sources: [observation.source],
    first_at: observation.occurred_at,
    ...(observation.place.kind === "history" && { first_history_at: observation.occurred_at }),
    seen_at: observation.seen_at,
    counted: false,
  };
}

/** Merges an observation into a record; see {@link mergeRecords}. Returns the same object if nothing changes. */
export function mergeObservation(record: CallRecord, observation: CallObservation): CallRecord {
  const merged = mergeRecords(record, recordOf(observation, record.key));
  const { prompt_workflow } = record;
  const next = prompt_workflow === undefined ? merged : { ...merged, prompt_workflow };
  return sameValue(record, next) ? record : next;
}

/**
 * Merges two partial records of one call, field by field. Commutative, associative and idempotent.
 * @example mergeRecords(seenInResponse, seenInHistory) // the same as mergeRecords(seenInHistory, seenInResponse)
 */
export function mergeRecords(a: CallRecord, b: CallRecord): CallRecord {
  const firstHistoryAt = earlier(a.first_history_at, b.first_history_at);
  return {
    kind: "call-record",
    key: a.key,
    facts: mergeFacts(a.facts, b.facts),
    places: union(a.places, b.places),
    sources: union(a.sources, b.sources),
    first_at: Math.min(a.first_at, b.first_at),
    ...(firstHistoryAt !== undefined && { first_history_at: firstHistoryAt }),
    seen_at: Math.min(a.seen_at, b.seen_at),
    counted: a.counted || b.counted,
    ...(a.inherited_from !== undefined && { inherited_from: a.inherited_from }),
  };
}

/** A place as stored text; undefined for a hook event, which has none. */
export function locationKey(place: CallLocation): string | undefined {
  switch (place.kind) {
    case "history":
    case "response":
      return `${place.conversation}/${place.n}`;
    case "exact":
      return `/${place.n}`;
    case "known":
      return place.place;
    case "newest":
      return undefined;
  }
}

/** Creates all properties, also those of unknown facts: with one shape for all records, V8 reads them much faster. */
function factsOf(observation: CallObservation): CallFacts {
  const { place, source, occurred_at: at, arguments: args, result, prompt, format, mcp } = observation;
  const rank = CALL_RANK[place.kind];
  const inHistory = place.kind === "history";
  // The response determines what made the call; a later request only contains the call in its history.
  const making = inHistory ? 1 : rank;
  // The event after the run may include the arguments too; the event before it must not take precedence just because it
  // is earlier. Clients may coerce arguments before they call a server.
  const argumentRank = observation.permission_requested === true || source === "mcp" ? rank - 0.5 : rank;
  const isOnWire = source !== "hook" && source !== "mcp" && result?.provisional !== true;
  const recovery = format === undefined ? undefined : { format, repairs: observation.repairs ?? [] };
  const facts: { readonly [K in keyof CallFacts]-?: CallFacts[K] | undefined } = {
    name: factOf(observation.name, rank, at),
    client_name: inHistory ? factOf(observation.name, rank, at) : undefined,
    arguments: factOf(args?.preview === undefined ? args : withoutPreview(args), argumentRank, at),
    preview: factOf(args?.preview, argumentRank, at),
    client_arguments: inHistory ? factOf(args?.fingerprint, rank, at) : undefined,
    result: result && factOf(result, resultRank(observation, result), at),
    wire_result: isOnWire ? factOf(result?.hash, rank, at) : undefined,
    model: factOf(observation.model, making, at),
    provider: factOf(observation.provider, making, at),
    client: factOf(observation.client, rank, at),
    client_version: factOf(observation.client_version, rank, at),
    api: factOf(observation.api, rank, at),
    request_id: factOf(observation.request_id, making, at),
    response_id: place.kind === "response" ? factOf(place.response_id, rank, at) : undefined,
    origin: factOf(observation.origin, rank, at),
    recovery: factOf(recovery, rank, at),
    call_repair: factOf(observation.call_repair, rank, at),
    execution_time_ms: factOf(observation.execution_time_ms, source === "mcp" ? TOOL_FAILURE_RANK : rank, at),
    mcp: factOf(mcp, rank, at),
    turnaround_ms: factOf(observation.turnaround_ms, rank, at),
    turn: factOf(observation.turn, rank, at),
    turn_index: factOf(observation.turn_index, rank, at),
    // A reporter counts its own calls; sources that show the whole thread take precedence.
    order: factOf(observation.order, place.kind === "exact" ? CALL_RANK.newest : rank, at),
    // The client's own id takes precedence: prompts are stored under it.
    prompt: factOf(prompt, DERIVED_PROMPT_ID.test(prompt ?? "") ? 0 : rank, at),
    workflow: factOf(observation.workflow, rank, at),
    permission_requested: factOf(observation.permission_requested, rank, at),
  };
  // As everywhere in records, undefined means absent.
  return facts as CallFacts;
}

function factOf<T>(value: T | undefined, rank: number, at: number): Fact<T> | undefined {
  return value === undefined ? undefined : { value, rank, at };
}

function resultRank({ source, mcp }: CallObservation, result: ResultFacts): number {
  if (result.provisional === true) return PROVISIONAL_RANK;
  if (source === "mcp" && result.outcome.status === "failed") return TOOL_FAILURE_RANK;
  if (source === "mcp" && mcp?.output !== undefined) return REPLACEABLE_RANK;
  if (source === "proxy" && result.outcome.flag !== "absent") return FLAG_RANK;
  return result.not_executed === true ? UNRUN_RANK : OUTCOME_RANK[source];
}

function withoutPreview({ preview: _fact, ...args }: ArgumentFacts): ArgumentFacts {
  return args;
}

function mergeFacts(a: CallFacts, b: CallFacts): CallFacts {
  const merged: Record<string, Fact<unknown> | undefined> = { ...a };
  // Runs for every observation. `in` needs no list of names, but types them as strings.
  for (const name in b) {
    const fact = b[name as keyof CallFacts];
    if (fact !== undefined) merged[name] = pickFact<unknown>(merged[name], fact);
  }
  // Both facts of a name have the type of that name.
  return settleGate(merged as CallFacts);
}

/**
 * A refused call for which permission was requested was valid, so it failed at the gate: uses the alternative outcome.
 */
function settleGate(facts: CallFacts): CallFacts {
  const { permission_requested, result } = facts;
  const outcome = result?.value.if_permission_requested;
  if (permission_requested === undefined || result === undefined || outcome === undefined) return facts;
  return { ...facts, result: { ...result, value: { ...result.value, outcome } } };
}

function earlier(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined) return b;
  return b === undefined ? a : Math.min(a, b);
}

function union<T extends string>(a: readonly T[], b: readonly T[]): readonly T[] {
  return b.every((item) => a.includes(item)) ? a : [...new Set([...a, ...b])].sort();
}
