import { z } from "zod";
import { isValidId, ROOT_AGENT } from "../core/model/call-key.ts";
import { type Observation, SOURCES } from "../core/model/observation.ts";
import { CATEGORIES, PHASES } from "../core/model/outcome.ts";
import { type ReadResult, readObservation } from "../core/model/read-observation.ts";
import type { CallObserver } from "../ingest/observe/observe-call.ts";
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
  readonly readLong?: (line: string, arrival: Arrival) => Promise<ReadResult>;
}

export interface IngestResponse {
  readonly accepted: number;
  readonly dropped: number;
  /** The first problems; `rejected_total` counts all. */
  readonly rejected: readonly { readonly line: number; readonly reason: string }[];
  readonly rejected_total: number;
  readonly unapplied_bytes?: number;
}

/** Longer values are not names or ids, and are truncated. */
const MAX_NAME_CHARS = 255;
const NO_FAILURE = "category and phase need a failure: set content, and is_error to true";
// An optional field with a wrong type is ignored: the call is still worth recording.
const ignoreWrong = <T extends z.ZodType>(schema: T): z.ZodCatch<z.ZodOptional<T>> =>
  schema.optional().catch(undefined);
const name = ignoreWrong(
  z
    .string()
    .min(1)
    .transform((text) => text.slice(0, MAX_NAME_CHARS)),
);
const nameOr = (fallback: string): z.ZodDefault<z.ZodCatch<z.ZodString>> =>
  z.string().min(1).catch(fallback).default(fallback);
const count = z.int().min(0);
const oneOf = <const T extends readonly string[]>(values: T): z.ZodEnum<{ [K in T[number]]: K }> =>
  z.enum(values, `is not one of ${values.join(", ")}`);

/** One line: an observation of a call by another program. */
export const lineSchema = z
  .object({
    session_id: z.string("is not a valid id").refine(isValidId, "is not a valid id"),
    tool_call_id: z.string("is missing").min(1, "is missing"),
    ...{ tool_name: name, agent_id: nameOr(ROOT_AGENT), project: nameOr("default"), model: name },
    ...{ provider: name, client: name, client_version: name, api: name, request_id: name },
    source: oneOf(SOURCES).default("library"),
    category: oneOf(CATEGORIES).describe("Why the call failed, if the sender knows.").optional(),
    phase: oneOf(PHASES).optional(),
    occurrence: ignoreWrong(count).describe("Number of earlier calls with the same id in the session."),
    // Named `_id`, so that senders do not put the user's text here.
    turn_id: name.describe("Shared by calls made in parallel."),
    prompt_id: name.describe("Id of the user message that the call works on."),
    workflow: name.describe("What that message asks for, such as `bug_fix`."),
    occurred_at: ignoreWrong(z.number()).describe("ms since 1970, a whole number. Default: now."),
    order: ignoreWrong(count).describe("Order of calls with the same time. Default: the number of the line."),
    live: z
      .boolean()
      .catch(true)
      .default(true)
      .describe("false for past calls: they change rates, but not the counters of /metrics."),
    execution_time_ms: ignoreWrong(z.number().min(0)),
    arguments: z.unknown().optional().describe("As the model sent them."),
    content: z.unknown().optional().describe("The result as sent to the model. Absent while the call is pending."),
    is_error: ignoreWrong(z.boolean()),
    exit_code: ignoreWrong(z.int()).describe("Exit code of the command, if the program knows it."),
  })
  .refine(
    (line) => (line.category ?? line.phase) === undefined || (line.is_error === true && "content" in line),
    NO_FAILURE,
  )
  .describe("One observation of a call. Lines about the same call are merged.");

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
        ? rejection(`not read: ${MAX_UNPARSED_LINES} earlier lines are not JSON`)
        : isLong
          ? await readLong(line, arrival)
          : readIngestLine(line, observer, arrival);
    if (read.kind === "rejected") {
      if (read.reason === NOT_JSON) unparsed += 1;
      problems += 1;
      if (rejected.length < MAX_PROBLEMS) rejected.push({ line: at + 1, reason: read.reason });
      continue;
    }
    batch.push(read.observation);
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

function rejection(reason: string): ReadResult {
  return { kind: "rejected", reason };
}

export function readIngestLine(line: string, observer: CallObserver, { now, at }: Arrival): ReadResult {
  // Rejects by the first character where possible: an exception of `JSON.parse` takes about 10 µs.
  const first = line.trimStart()[0] ?? "";
  if (first !== "{") return rejection('["-0123456789tfn'.includes(first) ? "not an object" : "not a JSON object");
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return rejection(NOT_JSON);
  }
  const { v, kind } = value as { readonly v?: unknown; readonly kind?: unknown };
  if (v === 1 && typeof kind === "string") return admitObservation(line, kind, observer);
  const parsed = parseLine(value);
  if (parsed.kind === "invalid") return rejection(parsed.problem);
  const { occurrence, occurred_at, order, execution_time_ms, is_error, exit_code, category, phase, ...fields } =
    parsed.fields;
  const observation = observer.observe({
    v: 1,
    project: fields.project,
    session_id: fields.session_id,
    agent_id: fields.agent_id,
    source: fields.source,
    occurred_at: occurred_at ?? now,
    seen_at: now,
    live: fields.live,
    tool_call_id: fields.tool_call_id,
    // Without an `occurrence`, a line belongs to the newest call with its id.
    place: occurrence === undefined ? { kind: "newest" } : { kind: "exact", n: occurrence },
    // Calls with the same time keep the order of their lines, unless the sender gives another.
    order: order ?? at,
    ...definedFields({
      name: fields.tool_name,
      model: fields.model,
      provider: fields.provider,
      client: fields.client,
      client_version: fields.client_version,
      api: fields.api,
      request_id: fields.request_id,
      turn: fields.turn_id,
      prompt: fields.prompt_id,
      workflow: fields.workflow,
      execution_time_ms,
      arguments: fields.arguments,
    }),
    ...("content" in fields && {
      result: {
        content: fields.content,
        ...definedFields({ is_error, exitCode: exit_code }),
        // The sender's reason for a failure overrides the classification of the text.
        ...((category ?? phase) !== undefined && { explicitFailure: definedFields({ category, phase }) }),
      },
    }),
  });
  // Validated by the reader that replays the journal, so that everything acknowledged can be applied.
  const read = readObservation(JSON.stringify(observation));
  return read.kind === "rejected" ? read : { kind: "observation", observation };
}

type ParsedLine =
  | { readonly kind: "valid"; readonly fields: z.output<typeof lineSchema> }
  | { readonly kind: "invalid"; readonly problem: string };

/** Returns only the first problem. A `ZodError` would take longer than everything else here. */
function parseLine(value: unknown): ParsedLine {
  // Without asynchronous checks, the result is not a promise.
  const parsed = lineSchema._zod.run({ value, issues: [] }, { async: false }) as z.core.ParsePayload<typeof value>;
  const [issue] = parsed.issues;
  if (issue === undefined) return { kind: "valid", fields: parsed.value as z.output<typeof lineSchema> };
  const { path, message } = z.core.util.finalizeIssue(issue, undefined, z.core.config());
  return { kind: "invalid", problem: [...path, message].join(" ") };
}

/** Requests, responses and leaks are observed only by the proxy. */
const ACCEPTED_KINDS = new Set(["call", "prompt", "session", "usage"]);

function admitObservation(line: string, kind: string, observer: CallObserver): ReadResult {
  if (!ACCEPTED_KINDS.has(kind)) return rejection(`kind ${kind.slice(0, 40)} is not accepted here`);
  const read = readObservation(line);
  return read.kind === "rejected" ? read : { kind: "observation", observation: observer.admit(read.observation) };
}

/** Without the fields that are undefined. */
function definedFields<T extends object>(fields: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
