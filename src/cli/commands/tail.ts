import { createParser } from "eventsource-parser";
import { sessionName } from "../../core/model/session-name.ts";
import { dataFolder, readServerInfo } from "../../ingest/data-folder.ts";
import type { SessionRow } from "../../store/port.ts";
import { commandLine } from "../command-line.ts";
import { type Flags, readConfig } from "../config.ts";
import { CliError, throwIfUnauthorized } from "../errors.ts";
import { type Colors, createColors, type Style } from "../format.ts";
import type { Io } from "../io.ts";
import { oneLineText, shorten, textWidth } from "../table.ts";

export interface TailFlags extends Flags {
  readonly session?: string;
  readonly tool?: string;
  readonly failed?: boolean;
  readonly json?: boolean;
}

/** The fields of live events that are shown. */
interface FeedEvent {
  readonly type?: string;
  readonly timestamp?: string;
  readonly session_id?: string;
  readonly tool_name?: string;
  readonly status?: string;
  readonly status_message?: string | null;
  readonly category?: string | null;
  readonly [field: string]: unknown;
}

/** Follows the running server until it stops or the user interrupts. */
export async function tailCommand(flags: TailFlags, io: Io): Promise<number> {
  const config = await readConfig(flags, io.environment);
  const server = readServerInfo(dataFolder(config.data));
  const feed = server === undefined ? undefined : await connect(`${server.url}/api/live`, config.token);
  if (feed === undefined)
    throw new CliError(
      `No server is running for ${config.data}. Start one with \`${commandLine("start", flags)}\`, then run this command again.`,
    );
  const paint = createColors(io);
  const names = new SessionNames(server?.url ?? "", config.token);
  if (flags.json !== true) await names.load();
  const parser = createParser({
    onEvent({ data }) {
      const event = read(data);
      if (event === undefined || !isWanted(event, flags)) return;
      io.out(flags.json === true ? `${data}\n` : lineOf(event, names.of(event.session_id ?? ""), io, paint));
    },
  });
  const decoder = new TextDecoder();
  try {
    for await (const chunk of feed) parser.feed(decoder.decode(chunk, { stream: true }));
  } catch {
    // The server disconnected in the middle of an event.
  }
  io.err("The server has stopped.\n");
  return 0;
}

async function connect(url: string, token: string | undefined): Promise<ReadableStream<Uint8Array> | undefined> {
  const headers = { accept: "text/event-stream", ...(token !== undefined && { "x-toolmend-token": token }) };
  const response = await fetch(url, { headers }).catch(() => undefined);
  throwIfUnauthorized(response?.status);
  return response?.ok === true ? (response.body ?? undefined) : undefined;
}

const RELOAD_MS = 2000;

/** Names of the sessions that are active, as the server knows them. */
class SessionNames {
  readonly #url: string;
  readonly #token: string | undefined;
  #names: ReadonlyMap<string, string> = new Map();
  #loadedAt = 0;

  constructor(serverUrl: string, token: string | undefined) {
    this.#url = `${serverUrl}/api/sessions?limit=100`;
    this.#token = token;
  }

  /** Folder, branch and client; the start of the id while they are unknown. Queries the server for new sessions. */
  of(id: string): string {
    const name = this.#names.get(id);
    if (name === undefined && Date.now() - this.#loadedAt > RELOAD_MS) void this.load();
    return name ?? id;
  }

  async load(): Promise<void> {
    this.#loadedAt = Date.now();
    const headers = this.#token === undefined ? {} : { "x-toolmend-token": this.#token };
    const body = await fetch(this.#url, { headers }).then(
      (response) => response.json() as Promise<{ readonly rows?: readonly SessionRow[] }>,
      // Without names, lines show ids.
      () => undefined,
    );
    if (body?.rows === undefined) return;
    this.#names = new Map(body.rows.map((row) => [row.session_id, nameOf(row)]));
  }
}

function nameOf(row: SessionRow): string {
  return row.folder === null ? row.session_id : (sessionName(row) ?? row.session_id);
}

function read(data: string): FeedEvent | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return value !== null && typeof value === "object" ? (value as FeedEvent) : undefined;
  } catch {
    return undefined;
  }
}

/** Without `--json`, events without an outcome are not shown. */
const HIDDEN_TYPES = new Set(["request_recorded", "response_recorded", "tool_call_requested"]);

function isWanted(event: FeedEvent, { session, tool, failed, json }: TailFlags): boolean {
  if (session !== undefined && event.session_id?.startsWith(session) !== true) return false;
  if (tool !== undefined && event.tool_name !== tool) return false;
  if (failed === true && event.status !== "failed") return false;
  return json === true || !HIDDEN_TYPES.has(event.type ?? "");
}

const GLYPHS: ReadonlyMap<string, readonly [glyph: string, style: Style]> = new Map([
  ["ok", ["✓", "good"]],
  ["failed", ["✗", "bad"]],
  ["unknown", ["?", "doubtful"]],
  ["loop_detected", ["↻", "bad"]],
]);

/** Width of the column with the name of the session. */
const NAME_WIDTH = 24;

function lineOf(event: FeedEvent, session: string, io: Io, paint: Colors): string {
  const { timestamp = "", status = "", type = "" } = event;
  const [glyph, style] = GLYPHS.get(type === "loop_detected" ? type : status) ?? ["·", "faint"];
  const name = shorten(oneLineText(session), NAME_WIDTH);
  const left = `${timestamp.slice(11, 19)} ${name}${" ".repeat(Math.max(0, NAME_WIDTH - textWidth(name)))} `;
  const text = oneLineText(type === "tool_call_recorded" ? callText(event) : otherText(type, event));
  return `${left}${paint(style, glyph)} ${shorten(text, Math.max(20, io.width - NAME_WIDTH - 12))}\n`;
}

function callText({ status, status_message, tool_name = "", category }: FeedEvent): string {
  return status === "failed" ? (status_message ?? `${tool_name} ${category ?? "failed"}`) : tool_name;
}

/** Fields shown for events other than calls. */
const SHOWN_FIELDS = [
  ...(["health", "success_rate", "format", "reason", "result", "client", "model_name"] as const),
  ...(["tool_name", "kind", "run", "by"] as const),
] as const;

function otherText(type: string, event: FeedEvent): string {
  const fields = SHOWN_FIELDS.flatMap((name) => {
    const value = event[name];
    return typeof value === "string" || typeof value === "number" ? [`${name}=${value}`] : [];
  });
  return [type.replaceAll("_", " "), ...fields].join(" ");
}
