import type { IncomingMessage, ServerResponse } from "node:http";
import { BREAKDOWNS, type Breakdown, type Range, type StoreReader } from "../store/port.ts";
import { deleteSessions, type Forget } from "./delete-sessions.ts";
import { backfillRoute, type ExportDoor } from "./export-routes.ts";
import { type Ingest, ingestLines } from "./ingest-lines.ts";
import { type Subscribe, serveLive } from "./live.ts";
import { openApi } from "./openapi.ts";
import { ParameterError, parseRange } from "./parameters.ts";
import { readBody } from "./read-body.ts";
import { chooseRepair, type RepairApi, repairStatus } from "./repair.ts";
import { sendJson } from "./send.ts";
import type { ServerStatus } from "./server-status.ts";

export interface ApiOptions {
  readonly reader: StoreReader;
  readonly ingest: Ingest;
  readonly subscribe: Subscribe;
  readonly status: () => ServerStatus;
  readonly repair: RepairApi;
  readonly now: () => number;
  /** Where records go beside the store. */
  readonly exporting?: ExportDoor;
  /** Removes what was recorded. */
  readonly forget?: Forget;
}

type Handler = (query: URLSearchParams, request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

/** JSON for the dashboard and for other programs. Answers undefined when it has answered itself. */
export function createApi(
  options: ApiOptions,
): (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void> {
  const { reader, now } = options;
  const range = (query: URLSearchParams): Range => parseRange(query, now());
  const routes: Readonly<Record<string, Handler>> = {
    "GET /api/summary": async (query) => ({ ...(await reader.summary(range(query))), status: options.status() }),
    "GET /api/tools": async (query) => ({ rows: await reader.breakdown("tool", range(query)) }),
    "GET /api/breakdown": async (query) => ({ rows: await reader.breakdown(breakdownOf(query), range(query)) }),
    "GET /api/sessions": async (query) => ({ rows: await reader.sessions({ ...range(query), limit: limitOf(query) }) }),
    "GET /api/origins": async (query) => ({ rows: await reader.originOutcomes(range(query)) }),
    "GET /api/leaks": async (query) => ({ rows: await reader.leaks({ ...range(query), limit: limitOf(query) }) }),
    "GET /api/repair": async (query) => await repairStatus(reader, options.repair, range(query), limitOf(query)),
    "GET /api/export": async () => ({ targets: (await options.exporting?.status()) ?? [] }),
    "POST /api/export": async (_query, request) =>
      await backfillRoute(await readBody(request, 1 << 16), options.exporting, now()),
    "GET /api/live": async (_query, request, response) => serveLive(request, response, options.subscribe),
    "GET /api/openapi.json": async () => openApi,
    "POST /api/settings/repair": async (query, request) => {
      chooseRepair(await readBody(request, 1 << 16), options.repair);
      return await repairStatus(reader, options.repair, range(query), limitOf(query));
    },
    "POST /api/ingest": async (_query, request) => ingestLines(await readBody(request), options.ingest, now()),
  };
  return async (request, response, url) => {
    const method = request.method === "HEAD" ? "GET" : (request.method ?? "GET");
    const handler = routes[`${method} ${url.pathname}`] ?? deleteSessions(method, url.pathname, options.forget, now());
    if (handler === undefined) {
      sendJson(response, 404, {
        error: { message: `There is no ${method} ${url.pathname}. /api/openapi.json lists what there is.` },
      });
      return;
    }
    try {
      const body = await handler(url.searchParams, request, response);
      if (body !== undefined) sendJson(response, 200, body);
    } catch (error) {
      const known = error instanceof ParameterError;
      const message = known ? error.message : "The store could not answer. `toolmend doctor` says more.";
      sendJson(response, known ? error.status : 503, { error: { message } });
    }
  };
}

function breakdownOf(query: URLSearchParams): Breakdown {
  const by = query.get("by") ?? "tool";
  if (!BREAKDOWNS.includes(by as Breakdown)) throw new ParameterError(`by must be one of ${BREAKDOWNS.join(", ")}.`);
  return by as Breakdown;
}

function limitOf(query: URLSearchParams): number {
  const limit = Number(query.get("limit") ?? 100);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
    throw new ParameterError("limit must be between 1 and 1000.");
  return limit;
}
