import { SOURCES } from "../core/model/observation.ts";
import { CATEGORIES, PHASES } from "../core/model/outcome.ts";

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
  properties: { key: { type: "string" }, ...tally, failure_rate: rate, top_category: { type: ["string", "null"] } },
};
const rows = (items: object): object => ({ type: "object", properties: { rows: { type: "array", items } } });

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
    occurrence: count,
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
    waiting: count,
    oldest: { type: ["integer", "null"] },
    problem: { type: ["string", "null"], description: "Why nothing goes out at the moment." },
    busy: { type: "boolean", description: "The target only asked for a pause." },
  },
};
const backfill = {
  type: "object",
  required: ["target"],
  properties: { target: string, since: string, until: string, after: string, again: { type: "boolean" } },
};

/** What /api offers, for people and programs. */
export const openApi = {
  openapi: "3.1.0",
  info: { title: "Toolmend", version: "1", description: "Which tools fail, why, in which sessions and models." },
  paths: {
    "/api/summary": {
      get: {
        summary: "Totals of a time range, and how the recorder is doing.",
        parameters: range,
        responses: json("Totals.", {
          type: "object",
          properties: { ...tally, failure_rate: rate, pending: count, sessions: count, requests: count },
        }),
      },
    },
    "/api/tools": {
      get: { summary: "Tools, worst first.", parameters: range, responses: json("One row per tool.", rows(row)) },
    },
    "/api/breakdown": {
      get: {
        summary: "The same by tool, model, provider, category, phase, day or session.",
        parameters: [...range, { name: "by", in: "query", required: false, schema: { type: "string" } }],
        responses: json("One row per key.", rows(row)),
      },
    },
    "/api/sessions": {
      get: {
        summary: "Sessions, newest first.",
        parameters: [...range, limit],
        responses: json(
          "One row per session.",
          rows({
            type: "object",
            properties: {
              session_id: { type: "string" },
              ...tally,
              success_rate: rate,
              health: { enum: ["healthy", "degraded", "unhealthy", "insufficient"] },
            },
          }),
        ),
      },
      delete: {
        summary: "Remove sessions without a sign of life for so long; what they added to figures stays.",
        parameters: [
          { name: "older", in: "query", required: true, schema: { type: "string" }, description: "12h, 30d, 8w" },
        ],
        responses: json("How many were removed.", { type: "object", properties: { deleted: count } }),
      },
    },
    "/api/sessions/{id}": {
      delete: {
        summary: "Remove a session and what it added to figures.",
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "string" } },
          { name: "project", in: "query", required: false, schema: { type: "string", default: "default" } },
        ],
        responses: {
          ...json("How many were removed.", { type: "object", properties: { deleted: count } }),
          "404": { description: "There is no such session." },
        },
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
        responses: json("Modes, choices, what is suspended now, and refusals, newest first.", {
          type: "object",
          properties: {
            mode: { enum: ["off", "observe", "known", "any"] },
            upstreams: { type: "object" },
            models: { type: "object" },
            choices: { type: "array" },
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
        requestBody: {
          required: true,
          content: { "application/x-ndjson": { schema: ingestLine }, "application/json": { schema: ingestLine } },
        },
        responses: json("How many lines were written to the journal.", {
          type: "object",
          properties: { accepted: count, dropped: count, rejected: { type: "array" }, unapplied_bytes: count },
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
        responses: json("How much was put in; `next` goes into `after` of the next request.", {
          type: "object",
          properties: { sessions: count, items: count, next: { type: ["string", "null"] } },
        }),
      },
    },
  },
} as const;
