import { z } from "zod";
import { ADVICE_KINDS, type Advice } from "../core/detect/advice.ts";
import { GUARD_MODES, LOOP_KINDS } from "../core/loop/index.ts";
import { CASCADE_RULES } from "../core/model/call-links.ts";
import { type CallRepairFacts, EXCHANGE_ENDS, type LeakedCall } from "../core/model/observation.ts";
import { CATEGORIES, PHASES } from "../core/model/outcome.ts";
import type { Tally } from "../core/model/session-record.ts";
import type { TokenColumns } from "../core/model/token-usage.ts";
import { CALL_REPAIR_MODES, type CallRepairChoice, REPAIR_MODES, type RepairModes } from "../core/repair/index.ts";
import type { Score } from "../core/score/scores.ts";
import { COVERAGE_TOPICS } from "../hook/coverage.ts";
import type { SpoolState } from "../hook/spool-state.ts";
import type { Deleted, DeletionProgress } from "../ingest/deletion/deletion-report.ts";
import type { MachineImportStatus } from "../ingest/import/import-status.ts";
import { SECOND_CHANCE_MODES } from "../proxy/second-chance/modes.ts";
import { MAX_COUNTED_CALLS } from "../store/limits.ts";
import * as store from "../store/port.ts";
import { STEPS } from "../store/port.ts";
import type { CoverageResponse, SourceCoverage } from "./coverage.ts";
import type { TitledError } from "./error-title.ts";
import type { ErrorResponse, RegressionsResponse } from "./errors.ts";
import type { BackfillResponse, ExportResponse } from "./export-routes.ts";
import type { GuardResponse } from "./guard.ts";
import type { IngestResponse } from "./ingest-lines.ts";
import type { Overview, SeriesResponse, Trends } from "./overview.ts";
import type { Cost, PricedSession } from "./prices.ts";
import { HEALTHS } from "./query-schemas.ts";
import type { RankedRow } from "./ranked-row.ts";
import type { RecentCall } from "./recent-calls.ts";
import type { ToolRegression } from "./regressions.ts";
import type { DatedOverride, DatedSuspension, RepairResponse } from "./repair.ts";
import type { ResolutionEffect } from "./resolution-effect.ts";
import type { SecondChanceResponse } from "./second-chance.ts";
import type { FoundTranscriptsResponse, ServerStatus, StatusResponse } from "./server-status.ts";

/** A schema for each field of T. A field without a schema does not compile. */
type Shape<T> = { readonly [K in keyof T]-?: z.ZodType<T[K]> };

function object<T>(shape: Shape<T>): z.ZodType<T> {
  // The compiler cannot compute the output of a shape that depends on T.
  return z.object(shape) as unknown as z.ZodType<T>;
}

const rowsOf = <T>(row: z.ZodType<T>): z.ZodType<{ readonly rows: readonly T[] }> => object({ rows: z.array(row) });
const oldName = <T>(schema: z.ZodType<T>, name: string): z.ZodType<T> =>
  schema.meta({ description: `The old name of \`${name}\`.`, deprecated: true });

const [text, flag, number] = [z.string(), z.boolean(), z.number()];
const count = z.int().min(0);
const date = z.string().meta({ format: "date-time" });
const texts = z.array(text);
const counts = z.record(text, count);
const [textOrNull, numberOrNull, countOrNull] = [text.nullable(), number.nullable(), count.nullable()];
const dateOrNull = date.nullable();
const time = count.describe("ms since 1970.");
const rate = z.number().min(0).max(1).nullable();
const failureRate = rate.describe("failed / (ok + failed); null without a known outcome.");
const category = z.enum(CATEGORIES).nullable();
const health = z.enum(HEALTHS);

const outcomes = { calls: count, ok: count, failed: count, unknown: count, soft: count } as const;
const tally: Shape<Tally> = {
  ...outcomes,
  recovered: count.describe("Failures with a later successful retry."),
  follow_on: count.describe("Failures explained by an earlier root failure."),
  retries: count.describe("Calls that retry a failed one, successful or not."),
  unrecovered: count.describe("Root failures without a successful retry that are not excused."),
  excused: count.describe("Failures refused at a gate or cancelled. Rankings and `rate_health` ignore them."),
};
const summary: Shape<store.Summary> = {
  ...{ ...tally, failure_rate: failureRate, pending: count, sessions: count, requests: count },
  discarded: count.describe("Calls that the client discarded."),
  last_at: time.nullable(),
};
export const machineImport = object<MachineImportStatus>({
  state: z.enum(["running", "done", "failed"]),
  ...{ files: count, files_total: count, bytes: count, bytes_total: count, calls: count, failed: count },
  problem: textOrNull.describe("Why the import ended early."),
});
export const foundTranscripts = object<FoundTranscriptsResponse>({ files: count, bytes: count });

const serverStatus: Shape<ServerStatus> = {
  command: text.describe("How commands of Toolmend are run where this server is installed."),
  command_options: text.describe("Options of commands that read the records of this server. Often empty."),
  upstreams: z.array(text).describe("Upstreams that the user configured, each available at /NAME/…"),
  ...{ version: text, acknowledged: count, applied: count, dropped: count, rejected: count },
  unapplied_bytes: count.describe("In the journal, but not stored yet."),
  store_problem: textOrNull.describe("Why the store rejects writes at the moment."),
  set_aside: textOrNull.describe("Where the database was moved at the start because it was broken."),
  deleting: object<DeletionProgress>({
    step: z.enum(["rows", "files", "database", "journal"]),
    ...{ sessions: count, calls: count },
  })
    .nullable()
    .describe("Progress of a running deletion.")
    .exactOptional(),
  journal_problem: textOrNull.describe("Why observations are being dropped."),
  import: machineImport
    .nullable()
    .describe("Import of this machine's transcripts, running or finished.")
    .exactOptional(),
};

const cost = object<Cost>({
  amount: number.describe("By the configured prices."),
  is_partial: flag.describe("Tokens of models without a price are not included."),
})
  .nullable()
  .optional()
  .describe("Absent without configured prices; null if no model that was used has one.");

export const overview = object<Overview & { readonly status: ServerStatus }>({
  ...summary,
  cost,
  previous: object(summary).nullable().describe("The window of the same length right before."),
  unhealthy_sessions: count.describe("Sessions with `health` unhealthy: 3 failures or more."),
  repaired: count.describe("Leaked calls that were turned into calls."),
  mended: oldName(count, "repaired"),
  status: object(serverStatus),
});

export const status = object<StatusResponse>({
  ...serverStatus,
  spool: object<SpoolState>({ waiting: count, broken: count })
    .nullable()
    .describe("Hook events in files: waiting to be read, and unreadable."),
  empty: flag.describe("No session is recorded."),
});

export const ranking = rowsOf(
  object<RankedRow>({
    ...{ key: text, ...tally, failure_rate: failureRate, top_category: category },
    interval: z.tuple([number, number]).nullable().describe("95 % interval of failure_rate."),
    excess: number.describe("Failures above the average rate of all rows."),
    change: numberOrNull.describe("failure_rate minus that of the previous window."),
    recovered_rate: rate.describe("recovered / failed; null without a failure."),
    phases: object<store.PhaseSplit>({ call: count, gate: count, run: count }).describe("Failures by phase."),
    p95_ms: numberOrNull.describe("Only by tool, and only from measured times."),
    previous: object(tally).nullable().describe("The previous window."),
  }),
);

export const trends = object<Trends>({
  at: z.array(time).describe("Start of each part."),
  tools: z.record(text, z.array(rate)).describe("Failure rates by tool, one for each part."),
});

const fingerprintFields = {
  ...{ project: text, fingerprint: text, category: text },
  count: count.describe("Occurrences in the range."),
  first_at: dateOrNull.describe("First occurrence ever, not only in the range."),
  last_at: dateOrNull,
  sample: text.describe("Redacted. Empty if text is not stored."),
  tools: counts.describe("Occurrences ever, by tool."),
  models: counts.describe("Occurrences ever, by model."),
  state: z.enum(store.ERROR_STATES).describe("`regressed`: resolved, and occurred again afterwards."),
  state_at: dateOrNull.describe("When the error was resolved or ignored."),
};
const titledError = object<TitledError>({
  ...fingerprintFields,
  title: text.describe("The line of the sample that names the problem."),
  advice: object<Advice>({ kind: z.enum(ADVICE_KINDS), text })
    .nullable()
    .describe("Advice that may prevent this failure.")
    .exactOptional(),
});
export const fingerprints = rowsOf(titledError);
const effectWindow = object<ResolutionEffect["before"]>({
  ...{ since: text, until: text },
  failed: count.describe("Occurrences of the error."),
  ok: count.describe("Other calls of its tools, with a known outcome."),
});
export const errorDetail = object<ErrorResponse>({
  error: titledError,
  days: z.array(object<ErrorResponse["days"][number]>({ at: time, count })).describe("Occurrences by UTC day."),
  clients: z
    .array(object<store.ClientCount>({ client: textOrNull, client_version: textOrNull, count }))
    .describe(`Clients of the newest ${MAX_COUNTED_CALLS} occurrences.`),
  effect: object<ResolutionEffect>({ before: effectWindow, after: effectWindow })
    .nullable()
    .describe("The error before and after it was resolved. Null if it is not resolved, or if nothing is known yet."),
});

export const regressions = object<RegressionsResponse>({
  compared: flag.describe("false if nothing was recorded in the 7 days before: then nothing is known."),
  tools: z.array(
    object<ToolRegression>({
      ...{ tool: text, failed: count, judged: count, rate: number, top_category: category },
      baseline_rate: number.describe("Failure rate in the 7 days before the range."),
      baseline_judged: count,
    }),
  ),
  fingerprints: z.array(titledError).describe("Errors that first occurred in the range."),
  top_error: titledError.nullable().describe("The most frequent error of the first tool, or of all, with advice."),
});

export const series = object<SeriesResponse>({
  step: z.enum(STEPS),
  first_uses: z
    .array(object<store.FirstUse>({ kind: z.enum(["model", "client"]), name: text, version: textOrNull, at: time }))
    .describe("Models and versions of clients that were first used in the range, by any tool."),
  rows: z.array(
    object<store.SeriesPoint>({
      at: time,
      ...{ ...tally, failure_rate: failureRate, categories: counts.describe("Failures by category.") },
    }),
  ),
});

export const toolModel = rowsOf(
  object<store.ToolModelRow>({ tool: text, model: text, ...tally, failure_rate: failureRate, top_category: category }),
);

const tokens: Shape<TokenColumns> = {
  input_tokens: countOrNull.describe("Tokens the models read, also from caches. null if no response reported them."),
  output_tokens: countOrNull.describe("Tokens the models wrote, reasoning included."),
  cached_tokens: countOrNull.describe("The part of input_tokens that was read from a cache."),
  cache_write_tokens: countOrNull.describe("The part of input_tokens that was written to a cache."),
  reasoning_tokens: countOrNull.describe("The part of output_tokens that is reasoning."),
};

export const usage = rowsOf(
  object<store.UsageRow>({ key: text, responses: count.describe("Responses that reported tokens."), ...tokens }),
);

export const turns = rowsOf(
  object<store.TurnRow>({
    ...{ at: date, agent_id: text },
    turn: textOrNull.describe("As in the calls that the response makes; null without calls."),
    ...{ request_id: textOrNull, model_name: textOrNull, provider: textOrNull, ...tokens },
  }),
);

const session = object<PricedSession>({
  cost,
  ...{ project: text, session_id: text, trace_id: text, client: textOrNull, provider: textOrNull },
  folder: textOrNull.describe("Name of the folder that the client works in."),
  branch: textOrNull.describe("Branch of that folder."),
  task: textOrNull.describe("The first words of the first prompt. null if prompts are not stored."),
  source: text.describe("Sources joined by +, such as `hook+proxy`."),
  model_used: textOrNull.describe("The model of the last response."),
  ...{ started_at: date, last_at: date, stopped_at: dateOrNull, ended_at: dateOrNull, requests: count },
  ...{ ...tally, success_rate: rate, health, rate_health: health },
  ...tokens,
  dominant_failure_mode: textOrNull,
  worst_severity: rate,
  workflow: textOrNull.describe("The workflow of most of its calls; `other` only if no other workflow occurs."),
  loops: count.describe("Calls in a row that brought nothing new: how often, ended or not."),
  looping: flag.describe("Its last calls are a loop that may continue."),
});
export const sessions = rowsOf(session);

const scoreName = z.enum([
  ...(["tool_success", "failure_category", "error_severity", "is_cascade_failure"] as const),
  ...(["session_success_rate", "session_health", "session_rate_health", "dominant_failure_mode"] as const),
]);
const scores = z.array(
  object<Score>({
    ...{ id: text, name: scoreName, data_type: z.enum(["BOOLEAN", "NUMERIC", "CATEGORICAL"]) },
    value: z.union([number, text]).describe("Booleans are 0 or 1."),
  }),
);

const run = {
  ...{ of: text.describe("The first call that brought nothing new."), run: count, period: count },
  ...{ kind: z.enum(LOOP_KINDS), tools: texts },
};
const loop = z
  .object({ ...run, waits: count, level: z.literal([3, 6, 10]).nullable() })
  .nullable()
  .describe("The run of calls that brought nothing new, up to this one.");
const loopEnd = z
  .object({ ...run, by: z.enum(["human", "new_call", "new_result"]) })
  .nullable()
  .describe("The loop that this call ended.");

const recordStatus = z.enum(["ok", "failed", "unknown", "pending"]);
const callFields: Shape<Omit<store.CallRow, "scores">> = {
  ...{ id: text, agent_id: text, tool_call_id: text, tool_name: text, source: text },
  occurrence: count.describe("Number of earlier calls with the same id in the session."),
  status: recordStatus,
  ...{ phase: z.enum(PHASES).nullable(), category, severity: rate, confidence: rate, rule: textOrNull },
  soft: flag.describe("The text reports a failure that the flag denies."),
  retryable: z.enum(["yes", "after-change", "no"]).nullable(),
  ...{ exit_code: numberOrNull, status_message: textOrNull, fingerprint: textOrNull },
  excerpt: textOrNull.describe("Redacted. null if text is not stored."),
  ...{ arguments_preview: textOrNull, model_name: textOrNull, provider: textOrNull, client: textOrNull },
  client_version: textOrNull.describe("Version of the client, from its user agent."),
  mcp_server: textOrNull.describe("Name of the MCP server in the client's configuration, if it runs in the wrapper."),
  mcp_tool: textOrNull.describe("Name of the tool on that server."),
  mcp_output: textOrNull.describe("Why a client may reject a result that the server reports as successful."),
  origin: textOrNull.describe("`native`, or `recovered` for a repaired call."),
  format: textOrNull.describe("The format of the leak; only for repaired calls."),
  repair: object<CallRepairFacts>({
    ...{ result: z.enum(["repaired", "left"]), classes: texts, paths: texts },
    ...{ problem: text.exactOptional(), reason: text.exactOptional() },
    ...{ before: text.exactOptional(), after: text.exactOptional() },
  })
    .nullable()
    .describe("What repair did to a native call that does not fit its schema; null if it fits."),
  ...{ request_id: textOrNull, turn: textOrNull, prompt: textOrNull, workflow: textOrNull },
  ...{ at: date, settled_at: dateOrNull, execution_time_ms: numberOrNull, turnaround_ms: numberOrNull },
  ...{ input_size_bytes: count, output_size_bytes: countOrNull },
  inherited: flag.describe("Carried over from another session, and not counted."),
  position: countOrNull.describe("From 0. Calls of the same turn have the same position."),
  ...{ preceding_tool: textOrNull, preceding_success: flag.nullable(), is_cascade_failure: flag.nullable() },
  retry_of: textOrNull.describe("The failed attempt before this one."),
  retry_count: countOrNull,
  recovered_by: textOrNull.describe("The later retry that succeeded."),
  cascade_of: textOrNull.describe("The root failure that explains this one."),
  cascade_rule: z.enum(CASCADE_RULES).nullable(),
  ...{ loop, loop_end: loopEnd },
};
const call = object<store.CallRow>({ ...callFields, scores });

const listedSession = {
  ...{ project: text, session_id: text },
  session_name: textOrNull.describe("Folder, branch and client of the session."),
  session_started_at: dateOrNull,
};
export const recentCalls = rowsOf(
  object<RecentCall>({
    ...{ project: text, session_id: text, session_name: textOrNull, id: text, at: date, tool_name: text },
    ...{ status: recordStatus, category, status_message: textOrNull, model_name: textOrNull },
    ...{ execution_time_ms: numberOrNull, turnaround_ms: numberOrNull, arguments_preview: textOrNull },
  }),
);
export const calls = object<store.CallPage>({
  calls: z.array(object<store.ListedCall>({ ...listedSession, ...callFields })),
  next_cursor: textOrNull.describe("The `cursor` of the next request; null at the end."),
  total: countOrNull.describe(
    `Number of matching calls. null for a text search, and for more than ${MAX_COUNTED_CALLS} calls if totals lack one of the filters.`,
  ),
});

const leak = object<store.LeakRow>({
  ...{ project: text, session_id: text, agent_id: text, request_id: text, at: date },
  ...{ model: textOrNull, provider: textOrNull },
  ...{ result: z.enum(["recovered", "left"]), format: text, reason: textOrNull },
  evidence: texts.describe("Why the text was treated as a call rather than a mention of one."),
  ...{ parsed: count, dropped: count, repairs: texts, tool_names: texts, tool_call_ids: texts },
  before: textOrNull.describe("Redacted excerpt of the model's text."),
  after: z.array(object<LeakedCall>({ tool_name: text, arguments: text })),
});
export const leaks = rowsOf(leak);

export const sessionDetail = object<Omit<store.SessionDetail, "session"> & { readonly session: PricedSession }>({
  ...{ session, scores, calls: z.array(call) },
  prompts: z.array(object<store.PromptRow>({ prompt: text.describe("Its id."), workflow: textOrNull, at: date })),
  guard: z
    .array(
      object<store.GuardRow>({
        ...{ at: date, agent_id: text, action: z.enum(["note", "stop"]), kind: z.enum(LOOP_KINDS), run: count },
        ...{ tools: texts, requests: count.describe("Copies of the same request are one row.") },
      }),
    )
    .describe("Notes of the guard to the model, and requests that it refused."),
  leaks: z.array(leak).describe("Calls that the model wrote as text, repaired or not; oldest first."),
  failed_exchanges: z
    .array(
      object<store.FailedExchangeRow>({
        ...{ at: date, agent_id: text, request_id: text },
        http_status: count.describe("0 without a response."),
        ended: z.enum(EXCHANGE_ENDS),
        ...{ provider: textOrNull, model: textOrNull },
      }),
    )
    .describe("Requests that the upstream answered with an error status, or whose response broke off; oldest first."),
  total: count.describe("Number of all calls."),
  offset: count,
});

export const origins = rowsOf(
  object<store.OriginRow>({
    origin: z.enum(["native", "recovered"]),
    ...{ ...outcomes, failure_rate: failureRate, pending: count, discarded: count },
    refused: count.describe("Failures of calls that did not run."),
  }),
);

export const callRepairs = rowsOf(
  object<store.CallRepairRow>({
    ...{ project: text, session_id: text, tool_call_id: text, tool_name: text, at: date },
    ...{ model: textOrNull, provider: textOrNull, result: z.enum(["repaired", "left"]), classes: texts, paths: texts },
    problem: textOrNull.describe("Why a call that was left does not fit."),
    reason: textOrNull.describe("Why a call was left that could be repaired."),
    ...{ before: textOrNull, after: textOrNull, status: recordStatus },
    mcp_server: textOrNull.describe("The MCP server, if its wrapper reported the call."),
  }),
);

export const callFaults = rowsOf(
  object<store.CallFaultRow>({
    ...{ provider: textOrNull, model: textOrNull },
    class: text.describe("A class of faults; `none` for calls that cannot be repaired."),
    ...{ repaired: count, left: count, calls: count.describe("All native calls of the model.") },
  }),
);

export const coverage = object<CoverageResponse>({
  rows: z.array(
    object<SourceCoverage>({
      ...{ id: text, title: text, note: text, basis: z.enum(["measured", "documented"]) },
      topics: z.record(z.enum(COVERAGE_TOPICS), z.enum(["yes", "partly", "no"])),
      sessions: count.describe("How many of the newest sessions this source observed."),
      last_at: dateOrNull,
    }),
  ),
  looked_at: count.describe("Number of newest sessions that were counted."),
  together: counts.describe("Sessions by combination of sources, such as `hook+proxy`."),
});

const mode = z.enum(REPAIR_MODES);
const modes = z.record(text, mode);
const overrides = z.array(
  object<DatedOverride>({
    of: z.literal("calls").exactOptional(),
    mode: z.enum([...REPAIR_MODES, "on", "config"]),
    ...{ upstream: text.exactOptional(), model: text.exactOptional(), at: date },
  }),
);
const callMode = z.enum([...CALL_REPAIR_MODES, "follow"]);
const callModes = z.record(text, callMode);
export const repair = object<RepairResponse>({
  ...{ mode, upstreams: modes.exactOptional(), models: modes.exactOptional() },
  calls: object<RepairModes<CallRepairChoice>>({
    ...{ mode: callMode, upstreams: callModes.exactOptional(), models: callModes.exactOptional() },
  }).describe("The repair of native calls. `follow`: on where leaks are repaired."),
  ...{ guard: text, second_chance: text },
  overrides,
  choices: oldName(overrides, "overrides"),
  suspended: z.array(
    object<DatedSuspension>({ project: text, session_id: text, provider: text, model: text, at: date }),
  ),
  refusals: z.array(
    object<store.SuspensionRow>({
      ...{ project: text, session_id: text, request_id: text, at: date, provider: textOrNull, model: textOrNull },
      ...{ http_status: count, message: textOrNull, tool_call_ids: texts },
    }),
  ),
});

export const loops = rowsOf(
  object<store.LoopRow>({
    ...{ project: text, session_id: text, agent_id: text, model: textOrNull, provider: textOrNull },
    loop_id: text.describe("Record id of the first call that brought nothing new."),
    ...{ kind: z.enum(LOOP_KINDS), period: count, run: count, tools: texts, first_at: date, last_at: date },
    running: flag.describe("The loop may continue."),
    ended_by: z.enum(["human", "new_call", "new_result"]).nullable(),
    ...{ input_tokens: countOrNull, output_tokens: countOrNull, cached_tokens: countOrNull },
  }),
);

export const secondChances = rowsOf(
  object<store.SecondChanceRow>({
    ...{ provider: textOrNull, model: textOrNull },
    reason: text.describe("Why the calls of the first response could not work."),
    attempts: count,
    healed: count.describe("The client received calls that could work instead."),
    answered: count.describe("The client received a text instead."),
    healed_rate: z.number(),
    added_ms: count.describe("Mean time that the client waited."),
    input_tokens: count.nullable().describe("Of the second responses; null if none reported them."),
    output_tokens: count.nullable(),
  }),
);

const secondChanceMode = z.enum(SECOND_CHANCE_MODES);
const secondChanceModes = z.record(text, secondChanceMode);
export const secondChance = object<SecondChanceResponse>({
  ...{
    mode: secondChanceMode,
    upstreams: secondChanceModes.exactOptional(),
    models: secondChanceModes.exactOptional(),
  },
  overrides: z.array(
    object<SecondChanceResponse["overrides"][number]>({
      ...{ mode: z.enum([...SECOND_CHANCE_MODES, "config"]), at: date },
      ...{ upstream: text.exactOptional(), model: text.exactOptional() },
    }),
  ),
});

const guardMode = z.enum(GUARD_MODES);
const guardModes = z.record(text, guardMode);
export const guard = object<GuardResponse>({
  ...{ mode: guardMode, upstreams: guardModes.exactOptional(), models: guardModes.exactOptional() },
  overrides: z.array(
    object<GuardResponse["overrides"][number]>({
      mode: z.enum([...GUARD_MODES, "config"]),
      ...{ upstream: text.exactOptional(), model: text.exactOptional(), at: date },
    }),
  ),
});

export const deleted = object<Deleted>({
  deleted: count.describe("Sessions."),
  calls: count,
  event_lines: count.describe("Lines of events/*.jsonl."),
  event_files: count.describe("Days of events/, removed as whole files."),
  journal_segments: count,
  exported: count.describe("Calls and sessions that were already exported. Their copies cannot be deleted."),
  took_ms: count,
});

export const ingested = object<IngestResponse>({
  ...{ accepted: count, dropped: count, unapplied_bytes: count.exactOptional() },
  rejected: z.array(z.object({ line: count, reason: text })).describe("The first 100 rejected lines."),
  rejected_total: count.describe("Number of all rejected lines."),
});

export const exportStatus = object<ExportResponse>({
  targets: z.array(
    object<ExportResponse["targets"][number]>({
      ...{ target: text, queued: count, oldest_queued_at: time.nullable() },
      problem: textOrNull.describe("Why nothing is sent at the moment."),
      throttled: flag.describe("The target is only throttling the export."),
      waiting: oldName(count, "queued"),
      oldest: oldName(time.nullable(), "oldest_queued_at"),
      busy: oldName(flag, "throttled"),
    }),
  ),
});

export const backfilled = object<BackfillResponse>({
  ...{ sessions: count, items: count },
  next_cursor: textOrNull.describe("The `cursor` of the next request; null at the end."),
  next: oldName(textOrNull, "next_cursor"),
});

export const document: z.ZodType<object> = z.looseObject({ openapi: text, paths: z.looseObject({}) });
