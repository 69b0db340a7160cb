import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RawTurn } from "./upstream/turn.ts";

/** Captures of real clients: reference data that is stored outside the project and never part of it. */
const corpus = process.env.TOOLMEND_CORPUS ?? join(import.meta.dirname, "..", "..", "..", "shared", "corpus");
const folder = join(corpus, "client-captures");

export const capturesExist = existsSync(folder);
export const whyNoCaptures =
  "there are no recordings of clients here: TOOLMEND_CORPUS does not name a folder with client-captures";

/** A request as a client sent it, and the captured response; HEAD requests have none. */
export interface CapturedExchange {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly response?: RawTurn;
}

/** The true outcome of a call. */
export interface LabeledResult {
  readonly client: string;
  readonly id: string;
  readonly name: string;
  readonly truth: "failed" | "ok" | "ambiguous";
  /** As the client sent it. */
  readonly result: string;
}

export function readCapture(name: string): readonly CapturedExchange[] {
  const files = readdirSync(join(folder, name)).sort();
  return files
    .filter((file) => /-request\.(?:post|head)\.json$/.test(file))
    .map((file): CapturedExchange => {
      const { method, url, headers, body } = JSON.parse(readFileSync(join(folder, name, file), "utf8"));
      const response = files.find((other) => other.startsWith(`${file.slice(0, 3)}-response.`));
      return {
        method,
        url,
        headers: withoutTransport(headers),
        body: body === undefined || body === null ? "" : JSON.stringify(body),
        ...(response !== undefined && { response: capturedResponse(join(folder, name, response)) }),
      };
    });
}

/**
 * The frames of a WebSocket as requests: they contain only new items, and the id of the response they continue from.
 */
export function readFrames(name: string): readonly CapturedExchange[] {
  const files = readdirSync(join(folder, name)).sort();
  const upgrade = JSON.parse(readFileSync(join(folder, name, "000-request.upgrade.json"), "utf8"));
  return files
    .filter((file) => file.endsWith("-request.ws.json"))
    .map((file): CapturedExchange => {
      const {
        type: _type,
        generate: _generate,
        ...body
      } = JSON.parse(readFileSync(join(folder, name, file), "utf8")).body;
      const events = readFileSync(join(folder, name, `${file.slice(0, 3)}-response.jsonl`), "utf8")
        .trim()
        .split("\n");
      return {
        method: "POST",
        url: "/v1/responses",
        headers: { authorization: upgrade.headers.authorization, "user-agent": upgrade.headers["user-agent"] },
        body: JSON.stringify(body),
        response: {
          kind: "raw",
          contentType: "text/event-stream",
          body: events.map((line) => `data: ${line}\n\n`).join(""),
        },
      };
    });
}

export function readLabels(): readonly LabeledResult[] {
  return JSON.parse(readFileSync(join(folder, "tool-results.dev.json"), "utf8"));
}

/** Host and length belong to the connection, not to the client. */
function withoutTransport(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const {
    host: _host,
    connection: _connection,
    "content-length": _length,
    "transfer-encoding": _te,
    ...rest
  } = headers;
  return rest;
}

function capturedResponse(file: string): RawTurn {
  const contentType = file.endsWith(".sse") ? "text/event-stream" : "application/json";
  return { kind: "raw", contentType, body: readFileSync(file, "utf8") };
}
