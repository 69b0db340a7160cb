import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import type { SpoolState } from "../hook/spool-state.ts";
import type { FeedListener } from "../ingest/event-feed.ts";
import { discardBody } from "../proxy/http/end-early.ts";
import { isStoreUnavailable, type Range, type StoreReader, UnsupportedQueryError } from "../store/port.ts";
import { type DeleteSessions, deleteSessions } from "./delete-sessions.ts";
import { backfillRoute, type ExportControl, exportStatus } from "./export-routes.ts";
import { type Ingest, ingestLines } from "./ingest-lines.ts";
import { openApi } from "./openapi.ts";
import { limitOf, ParameterError, parseRange } from "./parameters.ts";
import { readRoutes, sessionRoute } from "./read-routes.ts";
import { type RepairApi, repairStatus, setRepairOverride } from "./repair.ts";
import { sendJson } from "./send.ts";
import type { ServerStatus } from "./server-status.ts";

export interface ApiOptions {
  readonly reader: StoreReader;
  readonly ingest: Ingest;
  readonly subscribe: Subscribe;
  readonly status: () => ServerStatus;
  readonly repair: RepairApi;
  readonly now: () => number;
  /** Export to other systems. */
  readonly exportControl?: ExportControl;
  /** Hook events waiting in files. */
  readonly spool?: () => Promise<SpoolState>;
  readonly deleter?: DeleteSessions;
}

type Handler = (query: URLSearchParams, request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

/** Creates the JSON API. A handler that returns undefined has sent its own response. */
export function createApi(
  options: ApiOptions,
): (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void> {
  const { reader, now } = options;
  const range = (query: URLSearchParams): Range => parseRange(query, now());
  const routes: Readonly<Record<string, Handler>> = {
    ...readRoutes(options),
    "GET /api/repair": async (query) => await repairStatus(reader, options.repair, range(query), limitOf(query)),
    "GET /api/export": async () => await exportStatus(options.exportControl),
    "POST /api/export": async (_query, request) =>
      await backfillRoute(await readBody(request, 1 << 16), options.exportControl, now()),
    "GET /api/live": async (_query, request, response) => serveLive(request, response, options.subscribe),
    "GET /api/openapi.json": async () => openApi,
    "POST /api/settings/repair": async (query, request) => {
      setRepairOverride(await readBody(request, 1 << 16), options.repair);
      return await repairStatus(reader, options.repair, range(query), limitOf(query));
    },
    "POST /api/ingest": async (_query, request) => ingestLines(await readBody(request), options.ingest, now()),
  };
  return async (request, response, url) => {
    const method = request.method === "HEAD" ? "GET" : (request.method ?? "GET");
    const route = `${method} ${url.pathname}`;
    const handler =
      (Object.hasOwn(routes, route) ? routes[route] : undefined) ??
      sessionRoute(method, url.pathname, reader) ??
      deleteSessions(method, url.pathname, options.deleter, now());
    if (handler === undefined) {
      sendJson(response, 404, {
        error: { message: `${method} ${url.pathname} not found. See /api/openapi.json for all routes.` },
      });
      return;
    }
    try {
      const result = handler(url.searchParams, request, response);
      const timeout = method === "GET" && options.status().store_problem !== null ? storeTimeout() : undefined;
      const body = await (timeout === undefined ? result : Promise.race([result, timeout]));
      if (body !== undefined) sendJson(response, 200, body);
    } catch (error) {
      const [status, message] = errorResponse(error, options.status().store_problem);
      sendJson(response, status, { error: { message } });
    }
  };
}

/** A failing store may not even return errors, so queries get a short timeout while it has a problem. */
const UNHEALTHY_STORE_TIMEOUT_MS = 3000;

async function storeTimeout(): Promise<never> {
  await setTimeout(UNHEALTHY_STORE_TIMEOUT_MS, undefined, { ref: false });
  throw new Error("The store did not respond in time.");
}

function errorResponse(error: unknown, problem: string | null): readonly [status: number, message: string] {
  if (error instanceof ParameterError) return [error.status, error.message];
  // Errors from another thread lose their class.
  if (error instanceof UnsupportedQueryError || (error as { code?: unknown }).code === "unanswerable")
    return [400, (error as Error).message];
  const reason = problem ?? (isStoreUnavailable(error) ? error.message : undefined);
  if (reason === undefined) return [503, "The store query failed. Run `toolmend doctor` for details."];
  return [
    503,
    `The store is unavailable: ${reason}. Requests are still forwarded, and observations stay in the journal until the store is back.`,
  ];
}

/** Subscribes to event lines. Returns a function that unsubscribes. */
export type Subscribe = (listener: FeedListener) => () => void;

const HEARTBEAT_MS = 15_000;
const MAX_BUFFERED_BYTES = 1 << 20;

/**
 * Serves the live feed as server-sent events. Events for a slow client are dropped instead of buffered without limit.
 */
export function serveLive(request: IncomingMessage, response: ServerResponse, subscribe: Subscribe): undefined {
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "x-accel-buffering": "no",
  });
  response.write(": connected\n\n");
  const unsubscribe = subscribe({
    onLine(line) {
      if (response.writableLength < MAX_BUFFERED_BYTES) response.write(`data: ${line}\n\n`);
    },
    onClose: () => response.end(),
  });
  const heartbeat = setInterval(() => response.write(": still here\n\n"), HEARTBEAT_MS);
  request.on("close", () => {
    clearInterval(heartbeat);
    unsubscribe();
  });
  return undefined;
}

const MAX_BODY_BYTES = 16 << 20;

/**
 * Reads a request body as text. Rejects once it exceeds the limit, and discards the rest so that the connection stays
 * usable.
 */
export function readBody(request: IncomingMessage, limit = MAX_BODY_BYTES): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const rejectTooLarge = (): void => {
      request.off("data", take);
      request.off("end", end);
      discardBody(request);
      reject(new ParameterError(`The body is larger than ${limit} bytes. Send it in parts.`, 413));
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limit) rejectTooLarge();
      else chunks.push(chunk);
    };
    const end = (): void => resolve(Buffer.concat(chunks).toString("utf8"));
    // The first event settles the promise.
    request.on("error", reject);
    request.on("close", () => reject(new Error("The client disconnected.")));
    if (Number(request.headers["content-length"]) > limit) rejectTooLarge();
    else request.on("data", take).on("end", end);
  });
}
