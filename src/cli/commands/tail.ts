import { createParser } from "eventsource-parser";
import { dataFolder, readServerInfo } from "../../ingest/data-folder.ts";
import { commandLine } from "../command-line.ts";
import { type Flags, readConfig } from "../config.ts";
import { CliError, throwIfUnauthorized } from "../errors.ts";
import { type Colors, createColors, type Style } from "../format.ts";
import type { Io } from "../io.ts";
import { oneLineText, shorten } from "../table.ts";

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
  const config = readConfig(flags, io.environment);
  const server = readServerInfo(dataFolder(config.data));
  const feed = server === undefined ? undefined : await connect(`${server.url}/api/live`, config.token);
  if (feed === undefined)
    throw new CliError(
      `No server is running for ${config.data}. Start one with \`${commandLine("start")}\`, then run this command again.`,
    );
  const paint = createColors(io);
  const parser = createParser({
    onEvent({ data }) {
      const event = read(data);
      if (event === undefined || !isWanted(event, flags)) return;
      io.out(flags.json === true ? `${data}\n` : lineOf(event, io, paint));
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

function read(data: string): FeedEvent | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return value !== null && typeof value === "object" ? (value as FeedEvent) : undefined;
  } catch {
    return undefined;
  }
}

/** Without `--json`, events that carry no outcome are not shown. */
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

function lineOf(event: FeedEvent, io: Io, paint: Colors): string {
  const { timestamp = "", session_id = "", status = "", type = "" } = event;
  const [glyph, style] = GLYPHS.get(type === "loop_detected" ? type : status) ?? ["·", "faint"];
  const left = `${timestamp.slice(11, 19)} ${oneLineText(session_id).slice(0, 8).padEnd(8)} `;
  const text = oneLineText(type === "tool_call_recorded" ? callText(event) : otherText(type, event));
  return `${left}${paint(style, glyph)} ${shorten(text, Math.max(20, io.width - left.length - 2))}\n`;
}

function callText({ status, status_message, tool_name = "", category }: FeedEvent): string {
  return status === "failed" ? (status_message ?? `${tool_name} ${category ?? "failed"}`) : tool_name;
}

/** Fields shown for events other than calls. */
const SHOWN_FIELDS = [
  ...(["health", "success_rate", "format", "reason", "client", "model_name"] as const),
  ...(["tool_name", "kind", "run", "by"] as const),
] as const;

function otherText(type: string, event: FeedEvent): string {
  const fields = SHOWN_FIELDS.flatMap((name) => {
    const value = event[name];
    return typeof value === "string" || typeof value === "number" ? [`${name}=${value}`] : [];
  });
  return [type.replaceAll("_", " "), ...fields].join(" ");
}
