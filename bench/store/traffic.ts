import type {
  CallObservation,
  Observation,
  OutcomeFacts,
  RequestObservation,
  ResponseObservation,
} from "../../src/core/model/observation.ts";
import { createRandom } from "../frame/random.ts";

/** Generated traffic of coding agents: the same for the same seed. */
export interface TrafficOptions {
  readonly calls: number;
  readonly callsPerSession: number;
  /** Number of days up to the start of 2026-03-11. */
  readonly days: number;
  readonly seed: number;
  /**
   * `import`: each call once, with its result. `live`: request, response with the call, next request with the result.
   */
  readonly as: "import" | "live";
  /** Leaves out what loops are found by. */
  readonly withoutLoops?: boolean;
}

export const END: number = Date.UTC(2026, 2, 11);
export const DAY = 86_400_000;
const TOOLS = ["Bash", "Read", "Edit", "Grep", "Glob", "Write", "WebFetch", "Task", "mcp__db__query", "mcp__web__get"];
const MODELS = ["opus", "sonnet", "local-32b"];
const CATEGORIES = ["exit_code", "not_found", "timeout", "precondition", "http_server_error"] as const;
const WORKFLOWS = ["bug fix", "feature", "refactor", "test", "docs"];

const OK: OutcomeFacts = { status: "ok", flag: "ok", reported: "ok", soft: false, confidence: 1, rule: "flag" };

/** Session after session; each session's observations in chronological order. */
export function* traffic(options: TrafficOptions): Generator<Observation> {
  const random = createRandom(options.seed);
  const sessions = Math.ceil(options.calls / options.callsPerSession);
  const step = (options.days * DAY) / sessions;
  let count = 0;
  for (let session = 0; session < sessions; session += 1) {
    const start = Math.floor(END - options.days * DAY + session * step);
    const model = MODELS[Math.floor(random() * MODELS.length)] as string;
    const fields = {
      v: 1,
      project: "default",
      session_id: `session-${options.seed}-${session}`,
      agent_id: "root",
      live: options.as === "live",
      provider: model === "local-32b" ? "local" : "anthropic",
      client: "claude-code",
      // A new version every three days.
      client_version: `2.1.${Math.floor(start / (3 * DAY)) % 1000}`,
      model,
    } as const;
    for (let n = 0; n < options.callsPerSession && count < options.calls; n += 1) {
      count += 1;
      const at = start + n * 3000;
      const id = `toolu_${session.toString(36)}x${n.toString(36)}${options.seed}abcdefgh`;
      const failed = random() < 0.12;
      const pick = Math.floor(random() * 1e9);
      const file = `file${pick % 40}`;
      const outcome: OutcomeFacts = failed
        ? {
            ...OK,
            status: "failed",
            flag: "failed",
            reported: "failed",
            phase: "run",
            category: CATEGORIES[pick % CATEGORIES.length] as (typeof CATEGORIES)[number],
            severity: 0.4 + (pick % 5) / 10,
            retryable: "after-change",
            status_message: `[EXIT_CODE] Bash exit=1 - cannot find ${file}`,
            excerpt: `Exit code 1\ncannot find ${file} in the folder that was given, nor in any other place\n`.repeat(
              3,
            ),
            fingerprint: `f${pick % 200}`,
          }
        : OK;
      const call: Omit<CallObservation, "source" | "place" | "occurred_at" | "seen_at"> = {
        ...fields,
        kind: "call",
        tool_call_id: id,
        name: TOOLS[Math.floor(random() * random() * TOOLS.length)] as string,
        arguments: {
          fingerprint: `a${pick}`,
          keys: { file_path: `k${file}`, old_string: String(pick), description: "x" },
          resources: [`end:${file}`, `path:${file}`, `under:folder${pick % 7}`],
          size_bytes: 100 + (pick % 900),
          ...(options.withoutLoops !== true && { effect: pick % 3 === 0 ? ("changes" as const) : ("reads" as const) }),
          ...(failed && { preview: `{"file_path":"/home/dev/project/src/${file}.ts","old_string":"…"}` }),
        },
        turn: id,
        turn_index: 0,
        order: n,
        prompt: `prompt-${Math.floor(n / 20)}`,
        workflow: WORKFLOWS[(session + Math.floor(n / 20)) % WORKFLOWS.length] as string,
      };
      const hash = `r${pick}`;
      const compared = options.withoutLoops === true ? {} : { normalized_hash: hash };
      const result = { hash, ...compared, size_bytes: pick % 5000, outcome };
      const took = { execution_time_ms: 20 + (pick % 4000) };
      if (options.as === "import") {
        const imported = { source: "transcript", occurred_at: at, seen_at: END } as const;
        yield { ...call, ...imported, ...took, place: { kind: "exact", n: 0 }, result };
        continue;
      }
      const proxy = { source: "proxy", request_id: `req-${id}` } as const;
      const request: RequestObservation = {
        ...{ ...fields, ...proxy, kind: "request", occurred_at: at, seen_at: at, conversation: "c" },
        ...{ streaming: true, size_bytes: 90_000, message_count: 2 * n + 1, tool_count: 10 },
      };
      const response: ResponseObservation = {
        ...{ ...fields, ...proxy, kind: "response", occurred_at: at + 1500, seen_at: at + 1500 },
        ...{ http_status: 200, ended: "complete", size_bytes: 9000, duration_ms: 1500, tool_call_ids: [id] },
      };
      yield request;
      yield response;
      yield {
        ...{ ...call, ...proxy, occurred_at: at + 1500, seen_at: at + 1500 },
        place: { kind: "response", conversation: "c", n: 0, response_id: `msg-${id}` },
      };
      yield {
        ...{ ...call, ...proxy, request_id: `req-next-${id}`, occurred_at: at + 3000, seen_at: at + 3000, result },
        place: { kind: "history", conversation: "c", n: 0 },
      };
    }
  }
}
