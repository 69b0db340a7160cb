import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import type { SpoolState } from "../hook/spool-state.ts";
import { discardBody } from "../proxy/http/end-early.ts";
import type { Store, StoreReader } from "../store/port.ts";
import type { DeleteSessions } from "./delete-sessions.ts";
import type { ExportControl } from "./export-routes.ts";
import type { GuardApi } from "./guard.ts";
import type { Ingest } from "./ingest-lines.ts";
import type { Subscribe } from "./live.ts";
import type { MachineImportApi } from "./machine-import.ts";
import { ParameterError } from "./parameters.ts";
import type { Prices } from "./prices.ts";
import { readQuery, readValue } from "./query-schemas.ts";
import type { RepairApi } from "./repair.ts";
import type { SecondChanceApi } from "./second-chance.ts";
import type { ServerStatus } from "./server-status.ts";

/** What the routes need from the server. */
export interface ApiOptions {
  readonly reader: StoreReader;
  readonly ingest: Ingest;
  readonly subscribe: Subscribe;
  readonly status: () => ServerStatus;
  readonly repair: RepairApi;
  readonly guard: GuardApi;
  readonly secondChance: SecondChanceApi;
  readonly now: () => number;
  /** Export to other systems. */
  readonly exportControl?: ExportControl;
  /** Import of transcripts from this machine. */
  readonly machineImport?: MachineImportApi;
  /** Hook events waiting in files. */
  readonly spool?: () => Promise<SpoolState>;
  readonly deleter: DeleteSessions;
  readonly setErrorState: Store["setErrorState"];
  /** Absent if none are configured. */
  readonly prices?: Prices | undefined;
}

/** One operation: its documentation, and the handler with the schemas that validate its input. */
export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  /** May end with `/{id}`, which matches the rest of the path. */
  readonly path: `/api/${string}`;
  readonly summary: string;
  readonly isDeprecated?: boolean;
  readonly query: z.ZodObject;
  readonly body?: Body<unknown>;
  /** What a 200 contains. */
  readonly returns: string;
  /** Absent for a stream of server-sent events. Not validated at run time: types and a contract test check it. */
  readonly response?: z.ZodType;
  /** Errors in addition to those of every route. */
  readonly errors?: { readonly [status: number]: string };
  /** Returns the body of the response, or undefined if it was sent already. */
  readonly handle: (exchange: Exchange, options: ApiOptions) => Promise<unknown>;
}

/** A request to a route, and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  /** The end of the path, for a path with `{id}`. */
  readonly id: string;
}

/** A request body. */
export interface Body<B> {
  readonly types: readonly string[];
  /** Of the body, or of each of its lines. */
  readonly schema: z.ZodType;
  readonly maxBytes: number;
  readonly parse: (text: string) => B;
}

type Input<Q extends z.ZodObject, B> = Omit<Exchange, "query"> & { readonly query: z.output<Q>; readonly body: B };

interface Definition<Q extends z.ZodObject, B, R> extends Omit<Route, "query" | "body" | "response" | "handle"> {
  readonly query?: Q;
  readonly body?: Body<B>;
  readonly response?: z.ZodType<R>;
  readonly handler: (input: Input<Q, B>, options: ApiOptions) => Promise<R>;
}

/** Creates a route whose handler gets validated input, and must return what the response schema describes. */
export function route<R, Q extends z.ZodObject = z.ZodObject<Record<never, never>>, B = undefined>({
  handler,
  ...definition
}: Definition<Q, B, R>): Route {
  // Without a schema, Q is the type of the empty one.
  const { query = z.object({}) as unknown as Q, body } = definition;
  return {
    ...definition,
    query,
    async handle(exchange, options) {
      const input = { ...exchange, query: readQuery(query, exchange.query) };
      const parsed = body?.parse(await readBody(exchange.request, body.maxBytes));
      return await handler({ ...input, body: parsed as B }, options);
    },
  };
}

const MAX_JSON_BYTES = 1 << 16;
const MAX_LINES_BYTES = 16 << 20;

/** A small JSON body. */
export function jsonBody<S extends z.ZodType>(schema: S): Body<z.output<S>> {
  const parse = (text: string): z.output<S> => readValue(schema, parseJson(text));
  return { types: ["application/json"], schema, maxBytes: MAX_JSON_BYTES, parse };
}

/** One JSON object per line. The handler validates each line. */
export function linesBody(schema: z.ZodType): Body<string> {
  const types = ["application/x-ndjson", "application/json"];
  return { types, schema, maxBytes: MAX_LINES_BYTES, parse: (text) => text };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ParameterError("The body is not JSON.");
  }
}

/**
 * Reads a request body as text. Rejects once it exceeds the limit, and discards the rest so that the connection stays
 * usable.
 */
export function readBody(request: IncomingMessage, limit: number): Promise<string> {
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
