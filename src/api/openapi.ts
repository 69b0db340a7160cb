import { SOURCES } from "../core/model/observation.ts";
import { CATEGORIES, PHASES } from "../core/model/outcome.ts";
import { NEWEST_FOR_TEXT } from "../store/limits.ts";
import { BREAKDOWNS, SESSION_SORTS, STEPS } from "../store/port.ts";

const range = ["project", "since", "until"].map((name) => ({
  name,
  in: "query",
  required: false,
  schema: { type: "string" },
  description:
    name === "project" ? "Only this project." : "A span before now (24h, 7d) or a date (2026-03-10). Whole hours.",
}));

const limit = {
  ...{ name: "limit", in: "query", required: false },
  schema: { type: "integer", minimum: 1, maximum: 1000 },
};

const json = (description: string, schema: object): object => ({
  "200": { description, content: { "application/json": { schema } } },
  "400": { description: "A parameter is wrong; the message says which." },
  "503": { description: "The store could not answer." },
});

const count = { type: "integer", minimum: 0 };
const tally = { calls: count, ok: count, failed: count, unknown: count, soft: count };
const rate = {
  type: ["number", "null"],
  minimum: 0,
  maximum: 1,
  description: "failed / (ok + failed); null without a verdict.",
};
const row = {
  type: "object",
  properties: {
    key: { type: "string" },
    ...tally,
    failure_rate: rate,
    interval: { type: ["array", "null"], description: "95 % interval of failure_rate." },
    excess: { type: "number", description: "Failures beyond what the average of all rows would give." },
    change: { type: ["number", "null"], description: "failure_rate less that of the window before." },
    recovered_rate: { type: ["number", "null"] },
    top_category: { type: ["string", "null"] },
    phases: { type: "object", properties: { call: count, gate: count, run: count } },
    p95_ms: { type: ["number", "null"], description: "Only by tool, and only of measured times." },
    previous: { type: ["object", "null"], description: "The window before." },
  },
};
const rows = (items: object): object => ({ type: "object", properties: { rows: { type: "array", items } } });
const text = (name: string, description?: string): object => ({
  ...{ name, in: "query", required: false, schema: { type: "string" } },
  ...(description !== undefined && { description }),
});
const choice = (name: string, values: readonly string[]): object => ({
  ...{ name, in: "query", required: false, schema: { enum: values } },
});
const rollupFilters = ["tool", "model", "provider", "category", "phase"].map((name) => text(name));
const health = ["healthy", "degraded", "unhealthy", "insufficient"];
const offset = { name: "offset", in: "query", required: false, schema: { type: "integer", minimum: 0 } };
const projectOf = { name: "project", in: "query", required: false, schema: { type: "string", default: "default" } };
const idInPath = { name: "id", in: "path", required: true, schema: { type: "string" } };

const string = { type: "string" };
const ingestLine = {
  type: "object",
  required: ["session_id", "tool_call_id"],
  properties: {
    ...{
      session_id: string,
      tool_call_id: string,
      tool_name: string,
      agent_id: string,
      project: string,
      model: string,
    },
    ...{ provider: string, client: string, api: string, request_id: string },
    source: { enum: SOURCES },
    occurrence: { ...count, description: "How often the same id stood before in its session." },
    turn_id: { ...string, description: "Calls that were made in parallel share one." },
    prompt_id: { ...string, description: "Which message of the user it works on." },
    workflow: { ...string, description: "The kind of work that message asks for." },
    occurred_at: { ...count, description: "ms since 1970; now unless given." },
    live: { type: "boolean", description: "false for the past: rates move, counters do not." },
    execution_time_ms: { type: "number", minimum: 0 },
    arguments: { description: "As the model gave them." },
    content: { description: "The result as the model reads it; absent while the call is open." },
    is_error: { type: "boolean" },
    category: { enum: CATEGORIES, description: "Why it failed, where the sender knows." },
    phase: { enum: PHASES },
  },
};
const exportTarget = {
  type: "object",
  properties: {
    target: string,
    queued: count,
    oldest_queued_at: { type: ["integer", "null"] },
    problem: { type: ["string", "null"], description: "Why nothing goes out at the moment." },
    throttled: { type: "boolean", description: "The target only asked for a pause." },
  },
};
const backfill = {
  type: "object",
  required: ["target"],
  properties: { target: string, since: string, until: string, cursor: string, force: { type: "boolean" } },
};

/** What /api offers, for people and programs. */
const deletionResponses = {
  ...json("What was removed, when nothing of it is left.", {
    type: "object",
    properties: {
      deleted: { ...count, description: "Sessions." },
      calls: count,
      event_lines: { ...count, description: "Lines of events/*.jsonl." },
      event_files: { ...count, description: "Days of events/, removed as whole files." },
      journal_segments: count,
      exported: {
        ...count,
        description: "Calls and sessions that had been exported: these copies cannot be recalled.",
      },
      took_ms: count,
    },
  }),
  "500": {
    description: "The rows are deleted, but a file could not be cleaned; the message says which. It is tried again.",
  },
};

export const openApi = {
  openapi: "3.1.0",
  info: { title: "Toolmend", version: "1", description: "Which tools fail, why, in which sessions and models." },
  paths: {
    "/api/summary": {
      get: {
        summary: "Totals of a time range, those of the window before, and how the recorder is doing.",
        parameters: range,
        responses: json("Totals.", {
          type: "object",
          properties: {
            ...{ ...tally, failure_rate: rate, pending: count, sessions: count, requests: count },
            previous: { type: ["object", "null"], description: "The window of the same length right before." },
            unhealthy_sessions: { ...count, description: "By rate." },
            repaired: { ...count, description: "Leaked calls that were turned into calls." },
            status: { type: "object" },
          },
        }),
      },
    },
    "/api/status": {
      get: {
        summary: "How the recorder is doing.",
        responses: json("Its totals.", {
          type: "object",
          properties: {
            ...{ version: string, acknowledged: count, applied: count, dropped: count, rejected: count },
            unapplied_bytes: { ...count, description: "Written down, and not yet in the store." },
            store_problem: { type: ["string", "null"], description: "Why the store takes nothing at the moment." },
            deleting: { type: ["object", "null"], description: "What a running deletion has removed so far." },
            journal_problem: { type: ["string", "null"], description: "Why observations are dropped at the moment." },
            spool: {
              type: ["object", "null"],
              properties: { waiting: count, broken: count },
              description: "Events that hooks wrote to files: still to be read, and set aside as unreadable.",
            },
            empty: { type: "boolean", description: "No session is recorded." },
          },
        }),
      },
    },
    "/api/tools": {
      get: {
        summary: "Tools by excess failures.",
        parameters: [...range, ...rollupFilters],
        responses: json("One row per tool.", rows(row)),
      },
    },
    "/api/breakdown": {
      get: {
        summary: "The same by tool, model, provider, category, phase, workflow, day or session.",
        parameters: [...range, ...rollupFilters, choice("by", BREAKDOWNS)],
        responses: json("One row per key.", rows(row)),
      },
    },
    "/api/trends": {
      get: {
        summary: "Failure rates of every tool in twelve equal parts of a range of at least a day.",
        parameters: range,
        responses: json("Starts of the parts, and rates by tool.", {
          type: "object",
          properties: { at: { type: "array" }, tools: { type: "object" } },
        }),
      },
    },
    "/api/regressions": {
      get: {
        summary: "Tools that fail more often than in the seven days before the range, and failures of a new kind.",
        parameters: range,
        responses: json("What is news.", {
          type: "object",
          properties: { tools: { type: "array" }, fingerprints: { type: "array" } },
        }),
      },
    },
    "/api/worse": {
      get: {
        summary: "The old name of /api/regressions.",
        deprecated: true,
        parameters: range,
        responses: json("As /api/regressions.", { type: "object" }),
      },
    },
    "/api/series": {
      get: {
        summary: "Totals by hour or day, with failures by category.",
        parameters: [...range, ...rollupFilters, choice("step", STEPS)],
        responses: json("One row per hour or day in which something happened.", {
          type: "object",
          properties: {
            step: { enum: STEPS },
            rows: {
              type: "array",
              items: {
                type: "object",
                properties: { at: count, ...tally, failure_rate: rate, categories: { type: "object" } },
              },
            },
          },
        }),
      },
    },
    "/api/tool-model": {
      get: {
        summary: "Every pair of tool and model that occurred; most calls first.",
        parameters: [...range, ...rollupFilters],
        responses: json(
          "One row per pair.",
          rows({
            type: "object",
            properties: { tool: { type: "string" }, model: { type: "string" }, ...tally, failure_rate: rate },
          }),
        ),
      },
    },
    "/api/fingerprints": {
      get: {
        summary: "The same failure wherever it occurred; most frequent first.",
        parameters: [...range, ...["tool", "model", "category"].map((name) => text(name)), limit],
        responses: json(
          "One row per fingerprint.",
          rows({
            type: "object",
            properties: {
              fingerprint: { type: "string" },
              category: { type: "string" },
              count,
              first_at: { type: ["string", "null"], description: "Ever, not only in the range." },
              last_at: { type: ["string", "null"] },
              sample: { type: "string", description: "Redacted; empty where texts are not kept." },
              tools: { type: "object" },
              models: { type: "object" },
            },
          }),
        ),
      },
    },
    "/api/coverage": {
      get: {
        summary: "What each way of watching can show, and which of them told of the newest sessions.",
        parameters: range,
        responses: json("One row per way of watching.", rows({ type: "object" })),
      },
    },
    "/api/sessions": {
      get: {
        summary: "Sessions; several filters must all match.",
        parameters: [
          ...range,
          ...["tool", "model", "category", "workflow"].map((name) => text(name)),
          text(
            "text",
            `Part of an id, client, provider, tool, model, category or kind of work. Looked for in the newest ${NEWEST_FOR_TEXT} sessions, and at the beginning of every id.`,
          ),
          text("severity", "A comparison: >0.7, <=0.5."),
          choice("health", health),
          choice("rate_health", health),
          choice("sort", SESSION_SORTS),
          limit,
          offset,
        ],
        responses: json(
          "One row per session.",
          rows({
            type: "object",
            properties: {
              session_id: { type: "string" },
              ...tally,
              success_rate: rate,
              health: { enum: health },
              rate_health: { enum: health },
              dominant_failure_mode: { type: ["string", "null"] },
              worst_severity: { type: ["number", "null"] },
              workflow: {
                type: ["string", "null"],
                description: "The kind of work of most of its calls; `other` only where no other kind occurs.",
              },
            },
          }),
        ),
      },
      delete: {
        summary:
          "Delete sessions without activity for so long, everywhere in the data folder; sums keep what they added.",
        parameters: [
          { name: "older", in: "query", required: true, schema: { type: "string" }, description: "12h, 30d, 8w" },
        ],
        responses: deletionResponses,
      },
    },
    "/api/sessions/{id}": {
      get: {
        summary: "A session's story: its calls in order with their links, and what kinds of work were asked for.",
        parameters: [idInPath, projectOf, offset, { ...limit, schema: { ...limit.schema, maximum: 5000 } }],
        responses: {
          ...json("The session, its scores, prompts and calls.", {
            type: "object",
            properties: {
              session: { type: "object" },
              scores: { type: "array" },
              calls: { type: "array" },
              total: count,
            },
          }),
          "404": { description: "There is no such session." },
        },
      },
      delete: {
        summary: "Delete a session and what it added to sums, everywhere in the data folder.",
        parameters: [idInPath, projectOf],
        responses: { ...deletionResponses, "404": { description: "There is no such session." } },
      },
    },
    "/api/origins": {
      get: {
        summary: "How mended calls came out, beside those that models made properly.",
        parameters: range,
        responses: json(
          "One row for native, one for recovered.",
          rows({
            type: "object",
            properties: {
              origin: { enum: ["native", "recovered"] },
              ...tally,
              failure_rate: rate,
              refused: count,
              pending: count,
              discarded: count,
            },
          }),
        ),
      },
    },
    "/api/leaks": {
      get: {
        summary: "Calls that models wrote as text, and what became of them; newest first.",
        parameters: [...range, limit],
        responses: json(
          "One row for each answer, format and reason.",
          rows({
            type: "object",
            properties: {
              result: { enum: ["recovered", "left"] },
              format: { type: "string" },
              reason: { type: ["string", "null"] },
              evidence: { type: "array", items: { type: "string" } },
              parsed: count,
              dropped: count,
              before: { type: ["string", "null"], description: "What the model wrote; a redacted excerpt." },
              after: {
                type: "array",
                items: {
                  type: "object",
                  properties: { tool_name: { type: "string" }, arguments: { type: "string" } },
                },
              },
            },
          }),
        ),
      },
    },
    "/api/repair": {
      get: {
        summary:
          "How repair stands: modes, what was chosen at run time, and where it rests after an upstream's refusal.",
        parameters: [...range, limit],
        responses: json("Modes, overrides, what is suspended now, and refusals, newest first.", {
          type: "object",
          properties: {
            mode: { enum: ["off", "observe", "known", "any"] },
            upstreams: { type: "object" },
            models: { type: "object" },
            overrides: { type: "array" },
            suspended: { type: "array" },
            refusals: { type: "array" },
          },
        }),
      },
    },
    "/api/settings/repair": {
      post: {
        summary:
          "Chooses a mode from the next request on: for everything, for an upstream, or for models. It outlives a restart.",
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: ["mode"],
                properties: {
                  mode: { enum: ["off", "observe", "known", "any", "config"] },
                  upstream: { type: "string" },
                  model: { type: "string", description: "A pattern; * stands for anything." },
                },
              },
            },
          },
        },
        responses: json("As /api/repair.", { type: "object" }),
      },
    },
    "/api/live": {
      get: {
        summary: "Events as they are recorded, as server-sent events.",
        responses: { "200": { description: "A stream.", content: { "text/event-stream": {} } } },
      },
    },
    "/api/ingest": {
      post: {
        summary: "Calls that other programs saw, one JSON object per line.",
        description: "One line for each thing that was seen of a call; lines about the same call are joined.",
        requestBody: {
          required: true,
          content: { "application/x-ndjson": { schema: ingestLine }, "application/json": { schema: ingestLine } },
        },
        responses: json("How many lines were written to the journal.", {
          type: "object",
          properties: {
            ...{ accepted: count, dropped: count, unapplied_bytes: count },
            rejected: { type: "array", description: "The first 100 lines that were refused, with their reasons." },
            rejected_total: { ...count, description: "All lines that were refused." },
          },
        }),
      },
    },
    "/api/export": {
      get: {
        summary: "Other systems that this server tells of calls, and what waits for each.",
        responses: json("One row per target.", {
          type: "object",
          properties: { targets: { type: "array", items: exportTarget } },
        }),
      },
      post: {
        summary: "Puts a part of what was recorded into the outbox of a target, some sessions at a time.",
        requestBody: { required: true, content: { "application/json": { schema: backfill } } },
        responses: json("How much was put in; `next_cursor` is the `cursor` of the next request.", {
          type: "object",
          properties: { sessions: count, items: count, next_cursor: { type: ["string", "null"] } },
        }),
      },
    },
  },
} as const;
