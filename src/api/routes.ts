import type { RollupQuery, Step } from "../store/port.ts";
import { readCoverage } from "./coverage.ts";
import { reportUnclean } from "./delete-sessions.ts";
import { withTitle } from "./error-title.ts";
import { changeErrorState, ERROR_NOT_FOUND_RESPONSES, errorStateSchema, readError, withAdvice } from "./errors.ts";
import { backfill, backfillSchema, exportStatus } from "./export-routes.ts";
import { guardOverrideSchema, guardStatus, setGuardOverride } from "./guard.ts";
import { ingestLines, lineSchema } from "./ingest-lines.ts";
import { serveLive } from "./live.ts";
import { foundTranscripts, importSchema, NOT_ALLOWED, startImport } from "./machine-import.ts";
import { describeRoutes } from "./openapi.ts";
import { overview, trends } from "./overview.ts";
import { ParameterError } from "./parameters.ts";
import { withCosts } from "./prices.ts";
import * as queries from "./query-schemas.ts";
import { inRange } from "./query-schemas.ts";
import { rankedBreakdown } from "./ranked-row.ts";
import { recentCalls } from "./recent-calls.ts";
import { findRegressions } from "./regressions.ts";
import { repairOverrideSchema, repairStatus, setRepairOverride } from "./repair.ts";
import * as responses from "./response-schemas.ts";
import { jsonBody, linesBody, type Route, route } from "./route.ts";
import { secondChanceOverrideSchema, secondChanceStatus, setSecondChanceOverride } from "./second-chance.ts";

const SESSION_NOT_FOUND = "Session not found.";
const DELETION = {
  method: "DELETE",
  returns: "What was removed. Sent after all of it is removed.",
  response: responses.deleted,
} as const;
const UNCLEAN = "The rows are deleted, but a file could not be cleaned. The message names it. Cleaning is retried.";

let openApi: Promise<object> | undefined;

/** Every route of the API. The router and the OpenAPI document read this list. */
export const ROUTES: readonly Route[] = [
  route({
    ...{ method: "GET", path: "/api/summary", query: queries.rangeQuery, response: responses.overview },
    summary: "Totals of a time range and of the previous window, and the state of the recorder.",
    returns: "Totals.",
    handler: async ({ query }, { reader, status, now, prices }) => ({
      ...(await overview(reader, inRange(query, now()), now(), prices)),
      status: status(),
    }),
  }),
  route({
    ...{ method: "GET", path: "/api/status", response: responses.status },
    summary: "State of the recorder.",
    returns: "Totals and problems.",
    handler: async (_input, { reader, status, spool }) => {
      // The status must also be available while the store is not.
      const newest = await reader.sessions({ limit: 1 }).catch(() => undefined);
      return { ...status(), spool: (await spool?.()) ?? null, empty: newest?.length === 0 };
    },
  }),
  route({
    ...{ method: "GET", path: "/api/tools", query: queries.rollupQuery, response: responses.ranking },
    summary: "Tools by excess failures.",
    returns: "One row per tool.",
    handler: ({ query }, { reader, now }) => rankedBreakdown(reader, "tool", inRange(query, now()), now()),
  }),
  route({
    ...{ method: "GET", path: "/api/breakdown", query: queries.breakdownQuery, response: responses.ranking },
    summary: "The same by tool, model, provider, category, phase, workflow, day or session.",
    returns: "One row per key.",
    handler: ({ query: { by, ...query } }, { reader, now }) =>
      rankedBreakdown(reader, by, inRange(query, now()), now()),
  }),
  route({
    ...{ method: "GET", path: "/api/trends", query: queries.rangeQuery, response: responses.trends },
    summary: "Failure rates of every tool in 12 equal parts of a range of at least a day.",
    returns: "Starts of the parts, and rates by tool.",
    handler: ({ query }, { reader, now }) => trends(reader, inRange(query, now()), now()),
  }),
  ...(["/api/regressions", "/api/worse"] as const).map((path) =>
    route({
      ...{ method: "GET", path, query: queries.rangeQuery, response: responses.regressions },
      ...(path === "/api/worse"
        ? { isDeprecated: true, summary: "The old name of /api/regressions." }
        : { summary: "Tools that fail more often than in the 7 days before the range, and new errors." }),
      returns: "Regressions and new errors.",
      handler: async ({ query }, { reader, now }) => {
        const found = await findRegressions(reader, inRange(query, now()), now());
        const [first] = found.tools;
        const [top] = await reader.fingerprints({
          ...inRange(query, now()),
          ...(first !== undefined && { tool: first.tool }),
          limit: 1,
        });
        const top_error = top === undefined ? null : withAdvice(top);
        return { ...found, fingerprints: found.fingerprints.map(withTitle), top_error };
      },
    }),
  ),
  route({
    ...{ method: "GET", path: "/api/series", query: queries.seriesQuery, response: responses.series },
    summary: "Totals by hour or day, with failures by category.",
    returns: "One row per hour or day with activity.",
    handler: async ({ query: { step: given, ...query } }, { reader, now }) => {
      const rollup = inRange(query, now());
      const step = given ?? defaultStep(rollup, now());
      const { project, since, until } = rollup;
      const range = {
        ...(project !== undefined && { project }),
        ...(since !== undefined && { since }),
        ...(until !== undefined && { until }),
      };
      const [rows, first_uses] = await Promise.all([
        reader.series({ ...rollup, step }),
        reader.firstUses({ ...range, step }),
      ]);
      return { step, rows, first_uses };
    },
  }),
  route({
    ...{ method: "GET", path: "/api/tool-model", query: queries.rollupQuery, response: responses.toolModel },
    summary: "Every pair of tool and model, by number of calls.",
    returns: "One row per pair.",
    handler: async ({ query }, { reader, now }) => ({ rows: await reader.toolModel(inRange(query, now())) }),
  }),
  route({
    ...{ method: "GET", path: "/api/fingerprints", query: queries.fingerprintQuery, response: responses.fingerprints },
    summary: "Errors: the same failure wherever it occurred. Regressed ones first, then the most frequent.",
    returns: "One row per fingerprint.",
    handler: async ({ query: { advice, ...query } }, { reader, now }) => {
      const rows = await reader.fingerprints(inRange(query, now()));
      return { rows: rows.map(advice === "true" ? withAdvice : withTitle) };
    },
  }),
  route({
    ...{ method: "GET", path: "/api/fingerprints/{id}", query: queries.errorQuery, response: responses.errorDetail },
    summary: "One error over all time. Its occurrences: /api/calls?fingerprint=…",
    returns: "The error, its days and its clients.",
    errors: ERROR_NOT_FOUND_RESPONSES,
    handler: ({ id, query }, { reader, now }) => readError(reader, query.project, id, now()),
  }),
  route({
    ...{ method: "POST", path: "/api/fingerprints/{id}", query: queries.errorQuery, response: responses.errorDetail },
    summary: "Set the state of an error for all users.",
    body: jsonBody(errorStateSchema),
    returns: "The error with its new state.",
    errors: ERROR_NOT_FOUND_RESPONSES,
    handler: ({ id, query, body }, { reader, setErrorState, now }) =>
      changeErrorState(reader, { setErrorState }, query.project, id, body, now()),
  }),
  route({
    ...{ method: "GET", path: "/api/coverage", query: queries.rangeQuery, response: responses.coverage },
    summary: "What each source can observe, and which sources observed the newest sessions.",
    returns: "One row per source.",
    handler: ({ query }, { reader, now }) => readCoverage(reader, inRange(query, now())),
  }),
  route({
    ...{ method: "GET", path: "/api/calls", query: queries.callsQuery, response: responses.calls },
    summary: "Calls that match all filters, newest results first.",
    returns: "One page of calls.",
    handler: ({ query }, { reader, now }) => reader.calls(inRange(query, now())),
  }),
  route({
    ...{ method: "GET", path: "/api/recent", query: queries.recentQuery, response: responses.recentCalls },
    summary:
      "The newest calls with a result, as the live page starts with them. /api/calls has all fields and filters.",
    returns: "One row per call.",
    handler: ({ query }, { reader }) => recentCalls(reader, query.limit),
  }),
  route({
    ...{ method: "GET", path: "/api/sessions", query: queries.sessionsQuery, response: responses.sessions },
    summary: "Sessions that match all filters.",
    returns: "One row per session.",
    handler: async ({ query }, { reader, now, prices }) => ({
      rows: await withCosts(reader, await reader.sessions(inRange(query, now())), prices),
    }),
  }),
  route({
    ...{ ...DELETION, path: "/api/sessions", query: queries.olderQuery, errors: { 500: UNCLEAN } },
    summary:
      "Delete sessions without activity for the given time, everywhere in the data folder. Totals keep their counts.",
    handler: ({ query }, { deleter, now }) => reportUnclean(deleter.before(now() - query.older)),
  }),
  route({
    ...{ method: "GET", path: "/api/sessions/{id}", query: queries.sessionDetailQuery },
    summary: "A session with its calls in order, their links, and the workflows of its prompts.",
    returns: "The session, its scores, prompts and calls.",
    response: responses.sessionDetail,
    errors: { 404: SESSION_NOT_FOUND },
    handler: async ({ id, query: { project, ...page } }, { reader, prices }) => {
      const found = await reader.sessionDetail(project, id, page);
      if (found === undefined) throw new ParameterError(SESSION_NOT_FOUND, 404);
      const [session] = await withCosts(reader, [found.session], prices);
      return { ...found, session: session ?? found.session };
    },
  }),
  route({
    ...{ ...DELETION, path: "/api/sessions/{id}", query: queries.projectQuery },
    summary: "Delete a session and its counts in totals, everywhere in the data folder.",
    errors: { 404: SESSION_NOT_FOUND, 500: UNCLEAN },
    handler: async ({ id, query }, { deleter }) => {
      const deleted = await reportUnclean(deleter.session(query.project, id));
      if (deleted.deleted > 0 || deleted.event_lines > 0) return deleted;
      throw new ParameterError(SESSION_NOT_FOUND, 404);
    },
  }),
  route({
    ...{ method: "GET", path: "/api/usage", query: queries.usageQuery, response: responses.usage },
    summary: "Tokens of responses by model, provider or day.",
    returns: "One row per key, sorted by key.",
    handler: async ({ query: { by, ...query } }, { reader, now }) => ({
      rows: await reader.usage(by, inRange(query, now())),
    }),
  }),
  route({
    ...{ method: "GET", path: "/api/turns/{id}", query: queries.sessionDetailQuery, response: responses.turns },
    summary: "Tokens of each response of a session, in order of time.",
    returns: "One row per response that reported tokens; none for an unknown session.",
    handler: async ({ id, query: { project, ...page } }, { reader }) => ({
      rows: await reader.turns(project, id, page),
    }),
  }),
  route({
    ...{ method: "GET", path: "/api/origins", query: queries.rangeQuery, response: responses.origins },
    summary: "Outcomes of repaired calls, compared with native calls.",
    returns: "One row for native, one for recovered.",
    handler: async ({ query }, { reader, now }) => ({ rows: await reader.originOutcomes(inRange(query, now())) }),
  }),
  route({
    ...{ method: "GET", path: "/api/leaks", query: queries.limitedQuery, response: responses.leaks },
    summary: "Leaked calls: repaired, or left as text with a reason. Newest first.",
    returns: "One row per response, format and reason.",
    handler: async ({ query }, { reader, now }) => ({ rows: await reader.leaks(inRange(query, now())) }),
  }),
  route({
    ...{ method: "GET", path: "/api/call-repairs", query: queries.limitedQuery, response: responses.callRepairs },
    summary: "Native calls that were repaired, or do not fit their schemas and were left. Newest first.",
    returns: "One row per call.",
    handler: async ({ query }, { reader, now }) => ({ rows: await reader.callRepairs(inRange(query, now())) }),
  }),
  route({
    ...{ method: "GET", path: "/api/call-faults", query: queries.rangeQuery, response: responses.callFaults },
    summary: "How many native calls of each model had which faults.",
    returns: "One row per provider, model and class of faults, most frequent first.",
    handler: async ({ query }, { reader, now }) => ({ rows: await reader.callFaults(inRange(query, now())) }),
  }),
  route({
    ...{ method: "GET", path: "/api/repair", query: queries.limitedQuery, response: responses.repair },
    summary: "Repair: modes, overrides set at runtime, and suspensions after an upstream's rejection.",
    returns: "Modes, overrides, what is suspended now, and refusals, newest first.",
    handler: ({ query }, { reader, now, ...options }) => repairStatus(reader, options, inRange(query, now())),
  }),
  route({
    ...{ method: "POST", path: "/api/settings/repair", query: queries.limitedQuery, response: responses.repair },
    summary:
      "Set the mode from the next request on: for everything, for an upstream, or for models. It survives a restart.",
    body: jsonBody(repairOverrideSchema),
    returns: "As /api/repair.",
    errors: { 500: "The mode could not be saved. Nothing was changed." },
    handler: ({ query, body }, { reader, now, ...options }) => {
      setRepairOverride(body, options.repair);
      return repairStatus(reader, options, inRange(query, now()));
    },
  }),
  route({
    ...{ method: "GET", path: "/api/loops", query: queries.limitedQuery, response: responses.loops },
    summary: "Loops: calls in a row that brought nothing new. Newest first.",
    returns: "One row per loop.",
    handler: async ({ query }, { reader, now }) => ({ rows: await reader.loops(inRange(query, now())) }),
  }),
  route({
    ...{ method: "GET", path: "/api/guard", response: responses.guard },
    summary: "What the guard does about loops: modes, and overrides set at runtime.",
    returns: "Modes and overrides.",
    handler: async (_input, { guard }) => guardStatus(guard),
  }),
  route({
    ...{ method: "POST", path: "/api/settings/guard", response: responses.guard },
    summary:
      "Set the guard's mode from the next request on: for everything, for an upstream, or for models. It survives a restart.",
    body: jsonBody(guardOverrideSchema),
    returns: "As /api/guard.",
    errors: { 500: "The mode could not be saved. Nothing was changed." },
    handler: async ({ body }, { guard }) => {
      setGuardOverride(body, guard);
      return guardStatus(guard);
    },
  }),
  route({
    ...{ method: "GET", path: "/api/second-chances", query: queries.rangeQuery, response: responses.secondChances },
    summary: "Turns that were requested again because no call in them could work: their number and results.",
    returns: "One row per provider, model and reason, most frequent first.",
    handler: async ({ query }, { reader, now }) => ({ rows: await reader.secondChances(inRange(query, now())) }),
  }),
  route({
    ...{ method: "GET", path: "/api/second-chance", response: responses.secondChance },
    summary: "Whether turns in which no call can work are requested again: modes, and overrides set at runtime.",
    returns: "Modes and overrides.",
    handler: async (_input, { secondChance }) => secondChanceStatus(secondChance),
  }),
  route({
    ...{ method: "POST", path: "/api/settings/second-chance", response: responses.secondChance },
    summary:
      "Switch second chances on or off from the next request on: for everything, for an upstream, or for models. It survives a restart.",
    body: jsonBody(secondChanceOverrideSchema),
    returns: "As /api/second-chance.",
    errors: { 500: "The mode could not be saved. Nothing was changed." },
    handler: async ({ body }, { secondChance }) => {
      setSecondChanceOverride(body, secondChance);
      return secondChanceStatus(secondChance);
    },
  }),
  route({
    ...{ method: "GET", path: "/api/live" },
    summary: "Events as they are recorded, as server-sent events.",
    returns: "A stream.",
    handler: async ({ request, response }, { subscribe }) => serveLive(request, response, subscribe),
  }),
  route({
    ...{ method: "POST", path: "/api/ingest", body: linesBody(lineSchema), response: responses.ingested },
    summary: "Record calls observed by other programs, one JSON object per line.",
    returns: "Number of lines written to the journal.",
    handler: ({ body }, { ingest, now }) => ingestLines(body, ingest, now()),
  }),
  route({
    ...{ method: "GET", path: "/api/import", response: responses.foundTranscripts },
    summary: "Transcripts of coding agents on the server's machine that can be imported.",
    returns: "Their number; 0 if other machines may reach this server. /api/status has the progress of an import.",
    handler: (_input, { machineImport }) => foundTranscripts(machineImport),
  }),
  route({
    ...{ method: "POST", path: "/api/import", body: jsonBody(importSchema), response: responses.machineImport },
    summary: "Import these transcripts. Runs in the background; what was imported before is skipped.",
    returns: "The state of the import.",
    errors: { 403: NOT_ALLOWED },
    handler: async (_input, { machineImport }) => startImport(machineImport),
  }),
  route({
    ...{ method: "GET", path: "/api/export", response: responses.exportStatus },
    summary: "Export targets and the items queued for each.",
    returns: "One row per target.",
    handler: (_input, { exportControl }) => exportStatus(exportControl),
  }),
  route({
    ...{ method: "POST", path: "/api/export", body: jsonBody(backfillSchema), response: responses.backfilled },
    summary: "Queue recorded sessions for export to a target, one page at a time.",
    returns: "How much was put in; `next_cursor` is the `cursor` of the next request.",
    handler: ({ body }, { exportControl, now }) => backfill(body, exportControl, now()),
  }),
  route({
    ...{ method: "GET", path: "/api/openapi.json", response: responses.document },
    summary: "This document.",
    returns: "An OpenAPI 3.1 document.",
    handler: () => {
      openApi ??= describeRoutes(ROUTES);
      return openApi;
    },
  }),
];

/** Hours for at most 3 days, and days for longer ranges. */
function defaultStep({ since, until }: RollupQuery, now: number): Step {
  return since !== undefined && (until ?? now) - since <= 3 * 86_400_000 ? "hour" : "day";
}
