import type { CallKey } from "./call-key.ts";
import type { CallFacts, CallRecord } from "./call-record.ts";
import { type Fact, pickFact } from "./facts.ts";
import type { ArgumentFacts, CallObservation, Place, Source } from "./observation.ts";

/** Who knows best what the model called, and with which arguments. */
const CALL_RANK = { response: 4, exact: 3, history: 2, newest: 1, known: 0 } as const satisfies Record<
  Place["kind"],
  number
>;

/** A flag of the protocol beats a transcript, a transcript a hook, a hook a reading of the text. */
const OUTCOME_RANK = { proxy: 1, library: 4, transcript: 3, hook: 2 } as const satisfies Record<Source, number>;
const FLAG_RANK = 4;
const PROVISIONAL_RANK = 0;
/** Below every source that saw the tool run, above a reading of the text. */
const UNRUN_RANK = 1.5;

/** The first record of a call: nothing but what this observation says. */
export function recordOf(observation: CallObservation, key: CallKey): CallRecord {
  return {
    kind: "call-record",
    key,
    facts: factsOf(observation),
    places: placeText(observation.place) === undefined ? [] : [placeText(observation.place) as string],
    sources: [observation.source],
    first_at: observation.occurred_at,
    ...(observation.place.kind === "history" && { first_history_at: observation.occurred_at }),
    seen_at: observation.seen_at,
    counted: false,
  };
}

/** Adds an observation to a record. Commutative, associative and idempotent: see {@link mergeRecords}. */
export function mergeObservation(record: CallRecord, observation: CallObservation): CallRecord {
  return mergeRecords(record, recordOf(observation, record.key));
}

/**
 * Joins two partial records of one call, field by field.
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

/** The text under which a place is remembered; a hook has none. */
export function placeText(place: Place): string | undefined {
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

function factsOf(observation: CallObservation): CallFacts {
  const { place, source, occurred_at: at } = observation;
  const rank = CALL_RANK[place.kind];
  const fact = <T>(value: T | undefined, atRank: number = rank): Fact<T> | undefined =>
    value === undefined ? undefined : { value, rank: atRank, at };
  const asTheModelReadIt = source !== "hook";
  const inHistory = place.kind === "history";
  const args = observation.arguments;
  // Who tells of the end may also show the arguments: what was said before it is not preferred for being earlier.
  const argumentRank = observation.asked === true ? rank - 0.5 : rank;
  const outcome = observation.result?.outcome;
  const stated = outcome !== undefined && outcome.flag !== "absent" && source === "proxy";
  const assumed = observation.result?.provisional === true;
  const unrun = observation.result?.unrun === true;
  // A model and request seen with the answer are those of the call; in a later request's history they are only its own.
  const making = place.kind === "history" ? 1 : rank;
  return compact({
    name: fact(observation.name),
    client_name: inHistory ? fact(observation.name) : undefined,
    arguments: fact(args?.preview === undefined ? args : withoutPreview(args), argumentRank),
    preview: fact(args?.preview, argumentRank),
    client_arguments: inHistory ? fact(args?.fingerprint) : undefined,
    result: fact(
      observation.result,
      assumed ? PROVISIONAL_RANK : stated ? FLAG_RANK : unrun ? UNRUN_RANK : OUTCOME_RANK[source],
    ),
    wire_result: asTheModelReadIt && !assumed ? fact(observation.result?.hash) : undefined,
    model: fact(observation.model, making),
    provider: fact(observation.provider, making),
    client: fact(observation.client),
    api: fact(observation.api),
    request_id: fact(observation.request_id, making),
    response_id: place.kind === "response" ? fact(place.response_id) : undefined,
    origin: fact(observation.origin),
    recovery: fact(
      observation.format === undefined ? undefined : { format: observation.format, repairs: observation.repairs ?? [] },
    ),
    execution_time_ms: fact(observation.execution_time_ms),
    turnaround_ms: fact(observation.turnaround_ms),
    turn: fact(observation.turn),
    turn_index: fact(observation.turn_index),
    order: fact(observation.order),
    prompt: fact(observation.prompt),
    workflow: fact(observation.workflow),
    asked: fact(observation.asked),
  });
}

function withoutPreview({ preview: _fact, ...args }: ArgumentFacts): ArgumentFacts {
  return args;
}

function mergeFacts(a: CallFacts, b: CallFacts): CallFacts {
  const merged: Record<string, unknown> = { ...a };
  for (const [name, fact] of Object.entries(b) as [keyof CallFacts, Fact<unknown> | undefined][]) {
    merged[name] = pickFact(a[name] as Fact<unknown> | undefined, fact);
  }
  return settleGate(merged as CallFacts);
}

/** Two facts that only together say where a call was refused: what was in order was stopped at the gate. */
function settleGate(facts: CallFacts): CallFacts {
  const { asked, result } = facts;
  const verdict = result?.value.if_asked;
  if (asked === undefined || result === undefined || verdict === undefined) return facts;
  return { ...facts, result: { ...result, value: { ...result.value, outcome: verdict } } };
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Leaves out what is undefined, so that records compare and serialise the same way. */
function compact<T extends object>(value: T): Defined<T> {
  const kept: Record<string, unknown> = {};
  for (const name in value) if (value[name] !== undefined) kept[name] = value[name];
  return kept as Defined<T>;
}

function earlier(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined) return b;
  return b === undefined ? a : Math.min(a, b);
}

function union<T extends string>(a: readonly T[], b: readonly T[]): readonly T[] {
  return b.every((item) => a.includes(item)) ? a : [...new Set([...a, ...b])].sort();
}
