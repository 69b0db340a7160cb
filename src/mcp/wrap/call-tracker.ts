import { type Fields, isObject } from "../../core/model/narrow.ts";
import type { McpCallEvent, McpEvent, McpOutcome, McpServerEvent } from "../event.ts";
import { idKey, isRequestId, type Message, type RequestId } from "./json-rpc.ts";
import { resultText, truncate } from "./result-text.ts";

export interface TrackerOptions {
  /** The server's name in the client's configuration. */
  readonly server: string;
  /** Random id of this process. */
  readonly instance: string;
  /** The client's session, from the environment. */
  readonly session?: string;
  readonly emit: (event: McpEvent) => void;
}

/** Wall clock and monotonic clock, in ms. */
export interface Moment {
  readonly at: number;
  readonly clock: number;
}

/** How the server's process ended. */
export interface ServerEnd {
  readonly exit_code?: number;
  readonly signal?: string;
  /** The client closed its side first, so open calls were abandoned by the client. */
  readonly byClient: boolean;
}

interface OpenCall {
  readonly id: string;
  readonly tool: string;
  readonly args: unknown;
  readonly meta: Fields;
  readonly started: Moment;
  /** Total time in which the server waited for the client's input. */
  waitingMs: number;
  rounds: number;
}

/** A call whose server asked for input, until the client sends the same call again. */
interface AskingCall {
  readonly call: OpenCall;
  readonly since: Moment;
}

type OpenRequest =
  | { readonly kind: "call"; readonly call: OpenCall }
  | { readonly kind: "initialize" }
  | { readonly kind: "task"; readonly method: string; readonly taskId: string };

/** Larger arguments are recorded without their values. */
const MAX_ARGUMENT_CHARS = 256 << 10;
/** Bounds memory if a client never finishes what it starts. */
const MAX_OPEN = 10_000;
const META = "io.modelcontextprotocol/";

/**
 * Follows the messages between one client and one server, in both protocol eras, and emits one event per tool call.
 * Ids of requests are only unique per direction; calls are requests of the client, so only those are tracked.
 */
export class CallTracker {
  readonly #options: TrackerOptions;
  readonly #open = new Map<string, OpenRequest>();
  readonly #asking = new Map<string, AskingCall>();
  readonly #tasks = new Map<string, OpenCall>();
  #calls = 0;
  #server: { readonly server_name?: string; readonly server_version?: string } = {};
  #client: { readonly client?: string; readonly client_version?: string } = {};
  #noiseLines = 0;
  #largestResult = 0;

  constructor(options: TrackerOptions) {
    this.#options = options;
  }

  /** Whether a response of the server may matter. */
  get isWaiting(): boolean {
    return this.#open.size > 0;
  }

  addNoise(): void {
    this.#noiseLines += 1;
  }

  fromClient(message: Message, now: Moment): void {
    if (message.kind === "notification" && message.method === "notifications/cancelled") {
      this.#cancel(message.params, now);
      return;
    }
    if (message.kind !== "request") return;
    const { id, method, params } = message;
    if (method === "tools/call") this.#add(id, { kind: "call", call: this.#callOf(params, now) });
    else if (method === "initialize") {
      this.#client = nameAndVersion(params.clientInfo, "client");
      this.#add(id, { kind: "initialize" });
    } else if ((method === "tasks/result" || method === "tasks/get") && typeof params.taskId === "string")
      if (this.#tasks.has(params.taskId)) this.#add(id, { kind: "task", method, taskId: params.taskId });
  }

  fromServer(message: Message, now: Moment): void {
    if (message.kind !== "response" && message.kind !== "error") return;
    const key = idKey(message.id);
    const request = this.#open.get(key);
    if (request === undefined) return;
    this.#open.delete(key);
    if (request.kind === "initialize") {
      if (message.kind === "response") this.#server = nameAndVersion(message.result.serverInfo, "server");
    } else if (message.kind === "error") {
      const { code, message: text } = message;
      const call = request.kind === "call" ? request.call : undefined;
      if (call !== undefined) this.#settle(call, { kind: "error", code, message: truncate(text) }, now);
    } else if (request.kind === "call") this.#answer(request.call, message.result, now);
    else this.#taskAnswer(request, message.result, now);
  }

  /** For a response that is too long to be parsed: `head` is its start. */
  fromServerUnparsed(id: RequestId, head: string, isError: boolean, bytes: number, now: Moment): void {
    const key = idKey(id);
    const request = this.#open.get(key);
    if (request === undefined) return;
    this.#open.delete(key);
    if (request.kind !== "call") return;
    this.#largestResult = Math.max(this.#largestResult, bytes);
    const outcome: McpOutcome = { kind: "result", is_error: isError, text: truncate(head), size_bytes: bytes };
    this.#settle(request.call, { ...outcome, ...(!isError && { problem: "oversized" }) }, now);
  }

  /** Settles all open calls and emits the summary of the server. */
  end(server: ServerEnd, now: Moment, startedAt: number, droppedEvents: number): void {
    const { byClient, ...rest } = server;
    const outcome: McpOutcome = byClient
      ? { kind: "cancelled", reason: "the client ended the server" }
      : { kind: "gone", ...rest };
    const open = [...this.#open.values()].flatMap((request) => (request.kind === "call" ? [request.call] : []));
    const waiting = [...this.#asking.values()].map(({ call }) => call);
    for (const call of [...open, ...waiting, ...this.#tasks.values()]) this.#settle(call, outcome, now);
    this.#open.clear();
    this.#asking.clear();
    this.#tasks.clear();
    const { server: name, instance, emit } = this.#options;
    const { client_version: _version, ...client } = this.#client;
    const summary: McpServerEvent = {
      kind: "server",
      instance,
      started_at: startedAt,
      ended_at: now.at,
      server: name,
      ...this.#server,
      ...client,
      noise_lines: this.#noiseLines,
      largest_result_bytes: this.#largestResult,
      dropped_events: droppedEvents,
    };
    emit(summary);
  }

  #add(id: RequestId, request: OpenRequest): void {
    if (this.#open.size < MAX_OPEN) this.#open.set(idKey(id), request);
  }

  #callOf(params: Fields, now: Moment): OpenCall {
    const { name, arguments: args, requestState, _meta } = params;
    const tool = typeof name === "string" ? name : "";
    const meta = isObject(_meta) ? _meta : {};
    // In the stateless protocol, each request carries what `initialize` did before.
    if (this.#client.client === undefined) this.#client = nameAndVersion(meta[`${META}clientInfo`], "client");
    const key = typeof requestState === "string" ? askingKey(tool, requestState) : undefined;
    const asking = key === undefined ? undefined : this.#asking.get(key);
    if (key !== undefined && asking !== undefined) {
      this.#asking.delete(key);
      asking.call.rounds += 1;
      asking.call.waitingMs += now.clock - asking.since.clock;
      return asking.call;
    }
    this.#calls += 1;
    const id = `mcp_${this.#options.instance}${this.#calls.toString(16).padStart(6, "0")}`;
    return { id, tool, args, meta, started: now, waitingMs: 0, rounds: 1 };
  }

  /** A notification about a finished request changes nothing: opencode sends one after every result. */
  #cancel({ requestId, reason }: Fields, now: Moment): void {
    if (!isRequestId(requestId)) return;
    const key = idKey(requestId);
    const request = this.#open.get(key);
    if (request?.kind !== "call") return;
    this.#open.delete(key);
    this.#settle(request.call, { kind: "cancelled", reason: typeof reason === "string" ? reason : "" }, now);
  }

  #answer(call: OpenCall, result: Fields, now: Moment): void {
    const { resultType, requestState, task, _meta } = result;
    const info = isObject(_meta) ? _meta[`${META}serverInfo`] : undefined;
    if (info !== undefined) this.#server = nameAndVersion(info, "server");
    if (resultType === "input_required") {
      if (this.#asking.size < MAX_OPEN)
        this.#asking.set(askingKey(call.tool, typeof requestState === "string" ? requestState : call.id), {
          call,
          since: now,
        });
      return;
    }
    const taskId = isObject(task) ? task.taskId : result.taskId;
    if (typeof taskId === "string" && result.content === undefined) {
      if (this.#tasks.size < MAX_OPEN) this.#tasks.set(taskId, call);
      return;
    }
    this.#settleResult(call, result, now);
  }

  #taskAnswer(request: OpenRequest & { readonly kind: "task" }, result: Fields, now: Moment): void {
    const call = this.#tasks.get(request.taskId);
    if (call === undefined) return;
    const { status, statusMessage, result: inner } = result;
    const final = request.method === "tasks/result" ? result : isObject(inner) ? inner : undefined;
    const message = typeof statusMessage === "string" ? statusMessage : "";
    if (final !== undefined) this.#settleResult(call, final, now);
    else if (status === "failed")
      this.#settle(call, { kind: "result", is_error: true, text: truncate(message), size_bytes: message.length }, now);
    else if (status === "cancelled") this.#settle(call, { kind: "cancelled", reason: message }, now);
    else return;
    this.#tasks.delete(request.taskId);
  }

  #settleResult(call: OpenCall, result: Fields, now: Moment): void {
    const text = resultText(result);
    const bytes = byteLength(text);
    this.#largestResult = Math.max(this.#largestResult, bytes);
    this.#settle(
      call,
      { kind: "result", is_error: result.isError === true, text: truncate(text), size_bytes: bytes },
      now,
    );
  }

  #settle(call: OpenCall, outcome: McpOutcome, now: Moment): void {
    const { server, instance, session, emit } = this.#options;
    const { tool, args, started, meta } = call;
    const text = args === undefined ? "" : JSON.stringify(args);
    const sessionId = textOf(meta.sessionId) ?? textOf(meta.sessionID) ?? session;
    const callId = textOf(meta["claudecode/toolUseId"]) ?? textOf(meta.callId);
    const event: McpCallEvent = {
      kind: "call",
      id: call.id,
      started_at: started.at,
      ended_at: Math.max(started.at, now.at),
      duration_ms: Math.max(0, Math.round((now.clock - started.clock - call.waitingMs) * 1000) / 1000),
      server,
      ...this.#server,
      ...this.#client,
      ...(sessionId !== undefined && { session_id: sessionId }),
      ...(callId !== undefined && { call_id: callId }),
      instance,
      tool,
      ...(text.length <= MAX_ARGUMENT_CHARS && { arguments: args ?? {} }),
      argument_bytes: byteLength(text),
      rounds: call.rounds,
      outcome,
    };
    emit(event);
  }
}

function askingKey(tool: string, state: string): string {
  return `${tool}\u0000${state}`;
}

function nameAndVersion<P extends "client" | "server">(info: unknown, prefix: P): Readonly<Record<string, string>> {
  if (!isObject(info)) return {};
  const { name, version } = info;
  return {
    ...(typeof name === "string" && { [prefix === "client" ? "client" : "server_name"]: name.slice(0, 200) }),
    ...(typeof version === "string" && { [`${prefix}_version`]: version.slice(0, 100) }),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function byteLength(text: string): number {
  return Buffer.byteLength(text);
}
