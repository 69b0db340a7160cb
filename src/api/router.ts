import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { isStoreUnavailable, UnsupportedQueryError } from "../store/port.ts";
import { ParameterError } from "./parameters.ts";
import type { ApiOptions, Route } from "./route.ts";
import { ROUTES } from "./routes.ts";
import { sendJson } from "./send.ts";

export type { ApiOptions } from "./route.ts";

const ID = "{id}";
const EXACT: ReadonlyMap<string, Route> = new Map(ROUTES.map((route) => [`${route.method} ${route.path}`, route]));
const WITH_ID = ROUTES.filter(({ path }) => path.endsWith(ID)).map((route) => ({
  route,
  prefix: route.path.slice(0, -ID.length),
}));

/** Creates the JSON API. */
export function createApi(
  options: ApiOptions,
): (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void> {
  return async (request, response, { pathname, searchParams: query }) => {
    const method = request.method === "HEAD" ? "GET" : (request.method ?? "GET");
    const found = findRoute(method, pathname);
    if (found === undefined) {
      sendJson(response, 404, {
        error: { message: `${method} ${pathname} not found. See /api/openapi.json for all routes.` },
      });
      return;
    }
    try {
      const id = decodeId(found.id);
      const result = found.route.handle({ request, response, query, id }, options);
      const timeout = method === "GET" && options.status().store_problem !== null ? storeTimeout() : undefined;
      const body = await (timeout === undefined ? result : Promise.race([result, timeout]));
      if (body !== undefined) sendJson(response, 200, body);
    } catch (error) {
      const [status, message] = errorResponse(error, options.status().store_problem);
      sendJson(response, status, { error: { message } });
    }
  };
}

function findRoute(method: string, path: string): { readonly route: Route; readonly id: string } | undefined {
  const exact = EXACT.get(`${method} ${path}`);
  if (exact !== undefined) return { route: exact, id: "" };
  const found = WITH_ID.find(
    ({ route, prefix }) => route.method === method && path.startsWith(prefix) && path !== prefix,
  );
  return found && { route: found.route, id: path.slice(found.prefix.length) };
}

function decodeId(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ParameterError("The session id in the path is not valid percent-encoding.");
  }
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
