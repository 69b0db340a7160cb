import { isValidId, ROOT_AGENT } from "../core/model/call-key.ts";
import type { CallLocation, Observation, Source } from "../core/model/observation.ts";
import { SOURCES } from "../core/model/observation.ts";
import { CATEGORIES, type Category, PHASES, type Phase } from "../core/model/outcome.ts";
import { readObservation } from "../core/model/read-observation.ts";
import type { CallObserver, RawResult } from "../ingest/observe/observe-call.ts";
import { TimeSlices } from "../ingest/time-slices.ts";

/** Where observations of other programs go. */
export interface Ingest {
  readonly observer: CallObserver;
  readonly record: (observations: readonly Observation[]) => Promise<number>;
  /** How far the store is behind, so that senders of much can wait. */
  readonly unappliedBytes?: () => number;
  /** Shared time slices of background work. */
  readonly slices?: TimeSlices;
  /** Reads a line that is too long for one slice, in another thread. */
  readonly readLong?: (line: string, arrival: Arrival) => Promise<Observation | string>;
}

export interface IngestAnswer {
  readonly accepted: number;
  readonly dropped: number;
  /** The first problems; `rejected_total` counts all. */
  readonly rejected: readonly { readonly line: number; readonly reason: string }[];
  readonly rejected_total: number;
  readonly unapplied_bytes?: number;
}

type Fields = { readonly [name: string]: unknown };

const MAX_PROBLEMS = 100;
/** `JSON.parse` throws for each, which takes about 10 µs. A body with this many malformed lines is not JSONL; the rest is rejected unparsed. */
const MAX_UNPARSED_LINES = 1000;
const BATCH_SIZE = 200;
/** Longer values are parsed in another thread: `JSON.parse` cannot be sliced. */
const LONG_LINE_CHARS = 64 << 10;

/**
 * Takes calls as JSON lines: `{session_id, tool_call_id, tool_name?, arguments?, content?, is_error?, category?, phase?, …}`. Texts are turned into facts here, before anything
 * is written; the answer comes when the lines are in the journal. Who has done that already (an import) sends observations, told by `v` and `kind`.
 * Lines are read in time slices, so that no body delays proxied traffic.
 */
export async function ingestLines(body: string, ingest: Ingest, now: number): Promise<IngestAnswer> {
  const { slices = new TimeSlices(), observer, readLong } = ingest;
  const acknowledged: Promise<number>[] = [];
  const rejected: { line: number; reason: string }[] = [];
  let batch: Observation[] = [];
  let [observed, problems, unparsed] = [0, 0, 0];
  const flush = (): void => {
    if (batch.length > 0) acknowledged.push(ingest.record(batch));
    batch = [];
  };
  await slices.next();
  for (const { line, at } of linesOf(body)) {
    if (slices.isOver) {
      flush();
      await slices.next();
    }
    if (line.trim() === "") continue;
    const arrival = { now, at };
    const isLong = readLong !== undefined && line.length > LONG_LINE_CHARS;
    const read =
      unparsed >= MAX_UNPARSED_LINES
        ? `not read: ${MAX_UNPARSED_LINES} lines before it are not JSON`
        : isLong
          ? await readLong(line, arrival)
          : readIngestLine(line, observer, arrival);
    if (typeof read === "string") {
      if (read === NOT_JSON) unparsed += 1;
      problems += 1;
      if (rejected.length < MAX_PROBLEMS) rejected.push({ line: at + 1, reason: read });
      continue;
    }
    batch.push(read);
    observed += 1;
    if (batch.length >= BATCH_SIZE) flush();
  }
  flush();
  const accepted = (await Promise.all(acknowledged)).reduce((sum, count) => sum + count, 0);
  const behind = ingest.unappliedBytes?.();
  return {
    accepted,
    dropped: observed - accepted,
    rejected,
    rejected_total: problems,
    ...(behind !== undefined && { unapplied_bytes: behind }),
  };
}

/** Iterates lazily: `split` on 2 million lines blocks for 0.3 s. */
function* linesOf(body: string): Generator<{ readonly line: string; readonly at: number }> {
  for (let at = 0, from = 0; from <= body.length; at += 1) {
    const end = body.indexOf("\n", from);
    const to = end === -1 ? body.length : end;
    yield { line: body.slice(from, to), at };
    from = to + 1;
  }
}

/** When lines came, and which of them it is. */
export interface Arrival {
  readonly now: number;
  readonly at: number;
}

const NOT_JSON = "not JSON";

/** Returns the observation of a line, or the reason it is rejected. */
export function readIngestLine(line: string, observer: CallObserver, { now, at }: Arrival): Observation | string {
  // Rejects by the first character where possible: an exception of `JSON.parse` takes about 10 µs.
  const first = line.trimStart()[0] ?? "";
  if (first !== "{") return '["-0123456789tfn'.includes(first) ? "not an object" : "not a JSON object";
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return NOT_JSON;
  }
  const sighting = value as Fields;
  if (sighting.v === 1 && typeof sighting.kind === "string") return admitted(line, sighting.kind, observer);
  const problem = problemOf(sighting);
  if (problem !== undefined) return problem;
  const observation = observer.observe({
    v: 1,
    project: textOr(sighting.project, "default"),
    session_id: sighting.session_id as string,
    agent_id: textOr(sighting.agent_id, ROOT_AGENT),
    source: textOr(sighting.source, "library") as Source,
    occurred_at: typeof sighting.occurred_at === "number" ? sighting.occurred_at : now,
    seen_at: now,
    live: sighting.live !== false,
    tool_call_id: sighting.tool_call_id as string,
    place: placeOf(sighting),
    // Calls of one time stand in the order they were sent in, unless the sender knows better.
    order: isCount(sighting.order) ? sighting.order : at,
    ...texts(sighting, {
      tool_name: "name",
      model: "model",
      provider: "provider",
      client: "client",
      api: "api",
      request_id: "request_id",
      // Ids, and named so: nobody shall send the words of a person here.
      turn_id: "turn",
      prompt_id: "prompt",
      workflow: "workflow",
    }),
    ...(isDuration(sighting.execution_time_ms) && { execution_time_ms: sighting.execution_time_ms }),
    ...(sighting.arguments !== undefined && { arguments: sighting.arguments }),
    ...("content" in sighting && {
      result: {
        content: sighting.content,
        ...(typeof sighting.is_error === "boolean" && { is_error: sighting.is_error }),
        ...explicitFailureOf(sighting),
      },
    }),
  });
  // The same reader that replays the journal has the last word: what is acknowledged can be applied.
  const read = readObservation(JSON.stringify(observation));
  return read.kind === "rejected" ? read.reason : observation;
}

/** Requests, answers and leaks are seen by the proxy alone. */
const ADMITTED = new Set(["call", "prompt", "session"]);

function admitted(line: string, kind: string, observer: CallObserver): Observation | string {
  if (!ADMITTED.has(kind)) return `kind ${kind.slice(0, 40)} is not taken here`;
  const read = readObservation(line);
  return read.kind === "rejected" ? read.reason : observer.admit(read.observation);
}

function problemOf(sighting: Fields): string | undefined {
  if (typeof sighting.session_id !== "string" || !isValidId(sighting.session_id)) return "session_id is not a valid id";
  if (typeof sighting.tool_call_id !== "string" || sighting.tool_call_id === "") return "tool_call_id is missing";
  if (sighting.source !== undefined && !SOURCES.includes(sighting.source as Source))
    return `source is not one of ${SOURCES.join(", ")}`;
  const { category, phase } = sighting;
  if (category !== undefined && !CATEGORIES.includes(category as Category))
    return `category is not one of ${CATEGORIES.join(", ")}`;
  if (phase !== undefined && !PHASES.includes(phase as Phase)) return `phase is not one of ${PHASES.join(", ")}`;
  const states = category !== undefined || phase !== undefined;
  if (states && (sighting.is_error !== true || !("content" in sighting)))
    return "category and phase are of a failure: content must be there and is_error true";
  return undefined;
}

/** Who ran the tool, or refused to, may know why it failed better than its words say. */
function explicitFailureOf({ category, phase }: Fields): Pick<RawResult, "explicitFailure"> {
  if (category === undefined && phase === undefined) return {};
  return {
    explicitFailure: {
      ...(category !== undefined && { category: category as Category }),
      ...(phase !== undefined && { phase: phase as Phase }),
    },
  };
}

/** Who counts occurrences says so; everybody else joins the newest call of that id. */
function placeOf({ occurrence }: Fields): CallLocation {
  return isCount(occurrence) ? { kind: "exact", n: occurrence } : { kind: "newest" };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isDuration(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === "string" && value !== "" ? value : fallback;
}

/** Names and ids are short; whatever is longer is something else. */
const MAX_NAME_CHARS = 255;

function texts(from: Fields, names: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const found = Object.entries(names).filter(([name]) => typeof from[name] === "string" && from[name] !== "");
  return Object.fromEntries(found.map(([name, as]) => [as, (from[name] as string).slice(0, MAX_NAME_CHARS)]));
}
