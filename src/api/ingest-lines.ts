import { isValidId, ROOT_AGENT } from "../core/model/call-key.ts";
import type { CallLocation, Observation, Source } from "../core/model/observation.ts";
import { SOURCES } from "../core/model/observation.ts";
import { CATEGORIES, type Category, PHASES, type Phase } from "../core/model/outcome.ts";
import { readObservation } from "../core/model/read-observation.ts";
import type { CallObserver, RawResult } from "../ingest/observe/observe-call.ts";
import { TimeSlices } from "../ingest/time-slices.ts";

/** Dependencies of the ingest route. */
export interface Ingest {
  readonly observer: CallObserver;
  readonly record: (observations: readonly Observation[]) => Promise<number>;
  /** Bytes in the journal that are not stored yet, so that bulk senders can throttle. */
  readonly unappliedBytes?: () => number;
  /** Time slices shared with other background work. */
  readonly slices?: TimeSlices;
  /** Reads a line that is too long for one slice in another thread. */
  readonly readLong?: (line: string, arrival: Arrival) => Promise<Observation | string>;
}

export interface IngestResponse {
  readonly accepted: number;
  readonly dropped: number;
  /** The first problems; `rejected_total` counts all. */
  readonly rejected: readonly { readonly line: number; readonly reason: string }[];
  readonly rejected_total: number;
  readonly unapplied_bytes?: number;
}

type Fields = { readonly [name: string]: unknown };

const MAX_PROBLEMS = 100;
/**
 * `JSON.parse` takes about 10 µs to throw. After this many malformed lines, the rest of the body is rejected unparsed.
 */
const MAX_UNPARSED_LINES = 1000;
const BATCH_SIZE = 200;
/** Longer values are parsed in another thread: `JSON.parse` cannot be sliced. */
const LONG_LINE_CHARS = 64 << 10;

/**
 * Records calls from JSON lines: `{session_id, tool_call_id, tool_name?, arguments?, content?, is_error?, category?,
 * phase?, …}`. Text is reduced to facts before anything is written. A line with `v` and `kind` is an observation that
 * the sender, such as an import, has already reduced. Resolves when the lines are in the journal. Lines are read in
 * time slices, so that a large body does not delay proxied traffic.
 */
export async function ingestLines(body: string, ingest: Ingest, now: number): Promise<IngestResponse> {
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
        ? `not read: ${MAX_UNPARSED_LINES} earlier lines are not JSON`
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
  const unappliedBytes = ingest.unappliedBytes?.();
  return {
    accepted,
    dropped: observed - accepted,
    rejected,
    rejected_total: problems,
    ...(unappliedBytes !== undefined && { unapplied_bytes: unappliedBytes }),
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

/** Arrival time of a line and its index in the body. */
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
  const fields = value as Fields;
  if (fields.v === 1 && typeof fields.kind === "string") return admitObservation(line, fields.kind, observer);
  const problem = problemOf(fields);
  if (problem !== undefined) return problem;
  const observation = observer.observe({
    v: 1,
    project: textOr(fields.project, "default"),
    session_id: fields.session_id as string,
    agent_id: textOr(fields.agent_id, ROOT_AGENT),
    source: textOr(fields.source, "library") as Source,
    occurred_at: typeof fields.occurred_at === "number" ? fields.occurred_at : now,
    seen_at: now,
    live: fields.live !== false,
    tool_call_id: fields.tool_call_id as string,
    place: placeOf(fields),
    // Calls with the same time keep the order of their lines, unless the sender gives another.
    order: isCount(fields.order) ? fields.order : at,
    ...texts(fields, {
      tool_name: "name",
      model: "model",
      provider: "provider",
      client: "client",
      api: "api",
      request_id: "request_id",
      // Named `_id`, so that senders do not put the user's text here.
      turn_id: "turn",
      prompt_id: "prompt",
      workflow: "workflow",
    }),
    ...(isDuration(fields.execution_time_ms) && { execution_time_ms: fields.execution_time_ms }),
    ...(fields.arguments !== undefined && { arguments: fields.arguments }),
    ...("content" in fields && {
      result: {
        content: fields.content,
        ...(typeof fields.is_error === "boolean" && { is_error: fields.is_error }),
        ...explicitFailure(fields),
      },
    }),
  });
  // Validated by the reader that replays the journal, so that everything acknowledged can be applied.
  const read = readObservation(JSON.stringify(observation));
  return read.kind === "rejected" ? read.reason : observation;
}

/** Requests, responses and leaks are observed only by the proxy. */
const ACCEPTED_KINDS = new Set(["call", "prompt", "session"]);

function admitObservation(line: string, kind: string, observer: CallObserver): Observation | string {
  if (!ACCEPTED_KINDS.has(kind)) return `kind ${kind.slice(0, 40)} is not accepted here`;
  const read = readObservation(line);
  return read.kind === "rejected" ? read.reason : observer.admit(read.observation);
}

function problemOf(fields: Fields): string | undefined {
  if (typeof fields.session_id !== "string" || !isValidId(fields.session_id)) return "session_id is not a valid id";
  if (typeof fields.tool_call_id !== "string" || fields.tool_call_id === "") return "tool_call_id is missing";
  if (fields.source !== undefined && !SOURCES.includes(fields.source as Source))
    return `source is not one of ${SOURCES.join(", ")}`;
  const { category, phase } = fields;
  if (category !== undefined && !CATEGORIES.includes(category as Category))
    return `category is not one of ${CATEGORIES.join(", ")}`;
  if (phase !== undefined && !PHASES.includes(phase as Phase)) return `phase is not one of ${PHASES.join(", ")}`;
  const hasExplicitFailure = category !== undefined || phase !== undefined;
  if (hasExplicitFailure && (fields.is_error !== true || !("content" in fields)))
    return "category and phase need a failure: set content, and is_error to true";
  return undefined;
}

/** Returns the sender's reason for a failure, which overrides the classification of the text. */
function explicitFailure({ category, phase }: Fields): Pick<RawResult, "explicitFailure"> {
  if (category === undefined && phase === undefined) return {};
  return {
    explicitFailure: {
      ...(category !== undefined && { category: category as Category }),
      ...(phase !== undefined && { phase: phase as Phase }),
    },
  };
}

/** Without an `occurrence`, a line belongs to the newest call with its id. */
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

/** Longer values are not names or ids, and are truncated. */
const MAX_NAME_CHARS = 255;

function texts(from: Fields, names: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const found = Object.entries(names).filter(([name]) => typeof from[name] === "string" && from[name] !== "");
  return Object.fromEntries(found.map(([name, as]) => [as, (from[name] as string).slice(0, MAX_NAME_CHARS)]));
}
