import { type Advice, adviceFor } from "../core/detect/index.ts";
import type { SpoolState } from "../hook/spool-state.ts";
import type { FingerprintRow, Range, StoreReader } from "../store/port.ts";
import { readCoverage } from "./coverage.ts";
import { decodeId } from "./delete-sessions.ts";
import { overview, trends } from "./overview.ts";
import {
  breakdownOf,
  integerOf,
  limitOf,
  ParameterError,
  parseRange,
  rollupQuery,
  sessionQuery,
  stepOf,
} from "./parameters.ts";
import { rankRows } from "./ranked-row.ts";
import { findRegressions } from "./regressions.ts";
import type { ServerStatus, StatusResponse } from "./server-status.ts";

type QueryHandler = (query: URLSearchParams) => Promise<unknown>;

export interface ReadOptions {
  readonly reader: StoreReader;
  readonly status: () => ServerStatus;
  readonly now: () => number;
  readonly spool?: () => Promise<SpoolState>;
}

/** Read-only routes. */
export function readRoutes({ reader, status, now, spool }: ReadOptions): Readonly<Record<string, QueryHandler>> {
  const range = (query: URLSearchParams): Range => parseRange(query, now());
  const ranked = async (query: URLSearchParams, by = breakdownOf(query)): Promise<unknown> => {
    const rollup = rollupQuery(query, now());
    // Only a range with a start has a previous window. Days are compared with each other.
    const compared = rollup.since === undefined || by === "day" ? {} : { until: rollup.until ?? now(), previous: true };
    return { rows: rankRows(by, await reader.breakdown(by, { ...rollup, ...compared })) };
  };
  const regressions: QueryHandler = (query) => findRegressions(reader, range(query), now());
  return {
    "GET /api/summary": async (query) => ({ ...(await overview(reader, range(query), now())), status: status() }),
    "GET /api/status": async (): Promise<StatusResponse> => {
      // The status must also be available while the store is not.
      const newest = await reader.sessions({ limit: 1 }).catch(() => undefined);
      return { ...status(), spool: (await spool?.()) ?? null, empty: newest?.length === 0 };
    },
    "GET /api/tools": (query) => ranked(query, "tool"),
    "GET /api/breakdown": (query) => ranked(query),
    "GET /api/trends": (query) => trends(reader, range(query), now()),
    "GET /api/regressions": regressions,
    // Its old name.
    "GET /api/worse": regressions,
    "GET /api/series": async (query) => {
      const rollup = rollupQuery(query, now());
      const step = stepOf(query, rollup, now());
      return { step, rows: await reader.series({ ...rollup, step }) };
    },
    "GET /api/tool-model": async (query) => ({ rows: await reader.toolModel(rollupQuery(query, now())) }),
    "GET /api/fingerprints": async (query) => ({
      rows: (await reader.fingerprints({ ...rollupQuery(query, now()), limit: limitOf(query) })).map(withAdvice),
    }),
    "GET /api/sessions": async (query) => ({ rows: await reader.sessions(sessionQuery(query, now())) }),
    "GET /api/origins": async (query) => ({ rows: await reader.originOutcomes(range(query)) }),
    "GET /api/leaks": async (query) => ({ rows: await reader.leaks({ ...range(query), limit: limitOf(query) }) }),
    "GET /api/coverage": (query) => readCoverage(reader, range(query)),
  };
}

/** Adds what may make this failure rarer; null if nothing is known. */
function withAdvice(row: FingerprintRow): FingerprintRow & { readonly advice: Advice | null } {
  const [[tool] = []] = Object.entries(row.tools).sort(([, a], [, b]) => b - a);
  return { ...row, advice: adviceFor({ category: row.category, tool, message: row.sample }) ?? null };
}

const ONE = "/api/sessions/";

/** Handles `GET /api/sessions/ID`. Returns undefined for other requests. */
export function sessionRoute(method: string, path: string, reader: StoreReader): QueryHandler | undefined {
  if (method !== "GET" || !path.startsWith(ONE) || path.length === ONE.length) return undefined;
  return async (query) => {
    const id = decodeId(path.slice(ONE.length));
    const page = {
      offset: integerOf(query, "offset", 0, 0, 1_000_000_000),
      limit: integerOf(query, "limit", 1000, 1, 5000),
    };
    const found = await reader.sessionDetail(query.get("project") ?? "default", id, page);
    if (found === undefined) throw new ParameterError("Session not found.", 404);
    return found;
  };
}
