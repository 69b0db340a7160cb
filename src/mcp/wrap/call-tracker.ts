import { type Fields, isArray, isObject } from "../../core/model/narrow.ts";
import type { DeclaredTool, McpHeader, McpOutcome, McpServerLine, McpToolsLine, NamedVersion } from "../event.ts";
import { resultOutcome } from "../result-outcome.ts";
import { idKey, isRequestId, type Message, type RequestId } from "./json-rpc.ts";

export interface TrackerOptions {
  /** The server's name in the client's configuration. */
  readonly server: string;
  /** Id of this process. */
  readonly instance: string;
  /** The client's session, from the environment. */
  readonly session?: string;
  /** The state before the first message. */
  readonly known?: Pick<McpHeader, "client" | "server_info">;
  /** Receives lines of the spool, as latin1: each character is one byte. */
  readonly emit: (line: string) => void;
  /** Receives each page of tools that the server lists. */
  readonly onTools?: (isFirst: boolean, tools: readonly DeclaredTool[]) => void;
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
  readonly number: number;
  /** The request, as latin1. */
  readonly request: string;
  readonly started: Moment;
  readonly isRepaired: boolean;
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
  | { readonly kind: "list"; readonly isFirst: boolean }
  | { readonly kind: "task"; readonly method: string; readonly taskId: string };

/** Bounds memory if a client never finishes what it starts. */
const MAX_OPEN = 1000;
const MAX_NAME_CHARS = 200;
/** Larger lists are not recorded: every session starts with one. */
const MAX_LIST_CHARS = 512 << 10;

/**
 * Follows the messages between one client and one server, in both protocol eras, and emits one line per tool call. Ids
 * are only unique per direction; calls are requests of the client, so only those are tracked.
 */
export class CallTracker {
  readonly #options: TrackerOptions;
  readonly #open = new Map<string, OpenRequest>();
  readonly #asking = new Map<string, AskingCall>();
  readonly #tasks = new Map<string, OpenCall>();
  #calls = 0;
  #serverInfo: NamedVersion | undefined;
  #client: NamedVersion | undefined;
  #noiseLines = 0;

  constructor(options: TrackerOptions) {
    this.#options = options;
    this.#client = options.known?.client;
    this.#serverInfo = options.known?.server_info;
  }

  /** Whether a response of the server may be relevant. */
  get isWaiting(): boolean {
    return this.#open.size > 0;
  }

  /** The first line of a file. */
  get header(): McpHeader {
    const { instance, server, session } = this.#options;
    return {
      kind: "header",
      v: 1,
      instance,
      server,
      ...(session !== undefined && { session_id: session }),
      ...(this.#client !== undefined && { client: this.#client }),
      ...(this.#serverInfo !== undefined && { server_info: this.#serverInfo }),
    };
  }

  addNoise(): void {
    this.#noiseLines += 1;
  }

  /** Opens a call by its request, as latin1. */
  open(key: string, request: string, started: Moment, isRepaired = false): void {
    this.#calls += 1;
    const call = { number: this.#calls, request, started, isRepaired, waitingMs: 0, rounds: 1 };
    this.#add(key, { kind: "call", call });
  }

  /** Whether this is the response of an open call, which can then be settled without being parsed. */
  isOpenCall(key: string): boolean {
    return this.#open.get(key)?.kind === "call";
  }

  /** Settles a call by its response, as latin1. */
  settle(key: string, response: string, now: Moment): void {
    const request = this.#open.get(key);
    if (request?.kind !== "call") return;
    this.#open.delete(key);
    this.#emit(request.call, `"response":${response}`, now);
  }

  /** @param request the message without large arguments, as latin1 */
  fromClient(message: Message, request: string, now: Moment, isRepaired = false): void {
    if (message.kind === "notification" && message.method === "notifications/cancelled") {
      this.#cancel(message.params, now);
      return;
    }
    if (message.kind !== "request") return;
    const { id, method, params } = message;
    if (method === "tools/call") this.#call(id, params, request, now, isRepaired);
    else if (method === "initialize") {
      this.#client = namedVersion(params.clientInfo);
      this.#add(idKey(id), { kind: "initialize" });
    } else if (method === "tools/list") this.#add(idKey(id), { kind: "list", isFirst: params.cursor === undefined });
    else if ((method === "tasks/result" || method === "tasks/get") && typeof params.taskId === "string")
      if (this.#tasks.has(params.taskId)) this.#add(idKey(id), { kind: "task", method, taskId: params.taskId });
  }

  fromServer(message: Message, now: Moment): void {
    if (message.kind !== "response" && message.kind !== "error") return;
    const key = idKey(message.id);
    const request = this.#open.get(key);
    if (request === undefined) return;
    this.#open.delete(key);
    if (request.kind === "initialize") {
      if (message.kind === "response") this.#serverInfo = namedVersion(message.result.serverInfo);
    } else if (message.kind === "error") {
      const { code, message: text } = message;
      if (request.kind === "call") this.#end(request.call, { kind: "error", code, message: text }, now);
    } else if (request.kind === "call") this.#answer(request.call, message.result, now);
    else if (request.kind === "list") this.#list(request.isFirst, message.result);
    else this.#taskAnswer(request, message.result, now);
  }

  /** Settles a call whose response is too long to be buffered. */
  settleLong(key: string, isError: boolean, head: string, bytes: number, now: Moment): void {
    const request = this.#open.get(key);
    if (request?.kind !== "call") return;
    this.#open.delete(key);
    const problem = isError ? {} : { problem: "oversized" as const };
    this.#end(request.call, { kind: "result", is_error: isError, text: head, size_bytes: bytes, ...problem }, now);
  }

  /** Settles all open calls and emits the summary of the server. */
  end(server: ServerEnd, now: Moment, startedAt: number, droppedEvents: number): void {
    const { byClient, ...rest } = server;
    const outcome: McpOutcome = byClient
      ? { kind: "cancelled", reason: "the client ended the server" }
      : { kind: "gone", ...rest };
    this.settleAll(outcome, now);
    const summary: McpServerLine = {
      kind: "server",
      started_at: startedAt,
      ended_at: now.at,
      noise_lines: this.#noiseLines,
      dropped_events: droppedEvents,
    };
    this.#options.emit(JSON.stringify(summary));
  }

  /** Settles all calls that have no result yet. */
  settleAll(outcome: McpOutcome, now: Moment): void {
    const open = [...this.#open.values()].flatMap((request) => (request.kind === "call" ? [request.call] : []));
    const waiting = [...this.#asking.values()].map(({ call }) => call);
    for (const call of [...open, ...waiting, ...this.#tasks.values()]) this.#end(call, outcome, now);
    this.#open.clear();
    this.#asking.clear();
    this.#tasks.clear();
  }

  #add(key: string, request: OpenRequest): void {
    if (this.#open.size < MAX_OPEN) this.#open.set(key, request);
  }

  #call(id: RequestId, { name, requestState }: Fields, request: string, now: Moment, isRepaired: boolean): void {
    const state = typeof requestState === "string" ? askingKey(name, requestState) : undefined;
    const asking = state === undefined ? undefined : this.#asking.get(state);
    if (state === undefined || asking === undefined) {
      this.open(idKey(id), request, now, isRepaired);
      return;
    }
    const { call, since } = asking;
    this.#asking.delete(state);
    call.rounds += 1;
    call.waitingMs += now.clock - since.clock;
    this.#add(idKey(id), { kind: "call", call });
  }

  /** A notification about a finished request changes nothing: opencode sends one after every result. */
  #cancel({ requestId, reason }: Fields, now: Moment): void {
    if (!isRequestId(requestId)) return;
    const key = idKey(requestId);
    const request = this.#open.get(key);
    if (request?.kind !== "call") return;
    this.#open.delete(key);
    this.#end(request.call, { kind: "cancelled", reason: typeof reason === "string" ? reason : "" }, now);
  }

  #answer(call: OpenCall, result: Fields, now: Moment): void {
    const { resultType, requestState, task } = result;
    if (resultType === "input_required") {
      const name = toolOf(call.request);
      const state = typeof requestState === "string" ? requestState : String(call.number);
      if (this.#asking.size < MAX_OPEN) this.#asking.set(askingKey(name, state), { call, since: now });
      return;
    }
    const taskId = isObject(task) ? task.taskId : result.taskId;
    if (typeof taskId !== "string" || result.content !== undefined) this.#end(call, resultOutcome(result), now);
    else if (this.#tasks.size < MAX_OPEN) this.#tasks.set(taskId, call);
  }

  /** Writes the declared tools, with which calls are compared when the spool is read. */
  #list(isFirst: boolean, { tools }: Fields): void {
    if (!isArray(tools)) return;
    const declared = tools.flatMap(declaredTool);
    this.#options.onTools?.(isFirst, declared);
    const line: McpToolsLine = { kind: "tools", is_first: isFirst, tools: declared };
    const text = JSON.stringify(line);
    if (text.length <= MAX_LIST_CHARS) this.#options.emit(toLatin1(text));
  }

  #taskAnswer(request: OpenRequest & { readonly kind: "task" }, result: Fields, now: Moment): void {
    const call = this.#tasks.get(request.taskId);
    if (call === undefined) return;
    const { status, statusMessage, result: inner } = result;
    const final = request.method === "tasks/result" ? result : isObject(inner) ? inner : undefined;
    const message = typeof statusMessage === "string" ? statusMessage : "";
    if (final !== undefined) this.#end(call, resultOutcome(final), now);
    else if (status === "failed")
      this.#end(call, resultOutcome({ isError: true, content: [{ type: "text", text: message }] }), now);
    else if (status === "cancelled") this.#end(call, { kind: "cancelled", reason: message }, now);
    else return;
    this.#tasks.delete(request.taskId);
  }

  #end(call: OpenCall, outcome: McpOutcome, now: Moment): void {
    this.#emit(call, `"outcome":${toLatin1(JSON.stringify(outcome))}`, now);
  }

  #emit({ number, request, started, isRepaired, waitingMs, rounds }: OpenCall, end: string, now: Moment): void {
    const id = `mcp_${this.#options.instance}${number.toString(16).padStart(6, "0")}`;
    const ms = Math.max(0, Math.round((now.clock - started.clock - waitingMs) * 1000) / 1000);
    const endedAt = Math.max(started.at, now.at);
    this.#options.emit(
      `{"kind":"call","id":"${id}","started_at":${started.at},"ended_at":${endedAt},"duration_ms":${ms},${
        rounds > 1 ? `"rounds":${rounds},` : ""
      }${isRepaired ? '"repaired":true,' : ""}"request":${request},${end}}`,
    );
  }
}

function declaredTool(tool: unknown): readonly DeclaredTool[] {
  if (!isObject(tool) || typeof tool.name !== "string") return [];
  const { name, description, inputSchema, outputSchema, annotations } = tool;
  return [
    {
      name,
      has_description: typeof description === "string" && description.trim() !== "",
      ...(inputSchema !== undefined && { input_schema: inputSchema }),
      ...(outputSchema !== undefined && { output_schema: outputSchema }),
      ...(isObject(annotations) && annotations.destructiveHint === true && { is_destructive: true }),
    },
  ];
}

function askingKey(tool: unknown, state: string): string {
  return `${String(tool)}\u0000${state}`;
}

function toolOf(request: string): unknown {
  const { params } = JSON.parse(fromLatin1(request)) as { readonly params?: Fields };
  return params?.name;
}

function namedVersion(info: unknown): NamedVersion | undefined {
  if (!isObject(info)) return undefined;
  const { name, version } = info;
  return {
    ...(typeof name === "string" && { name: name.slice(0, MAX_NAME_CHARS) }),
    ...(typeof version === "string" && { version: version.slice(0, MAX_NAME_CHARS) }),
  };
}

/** A text whose characters are the bytes of its UTF-8 form. */
export function toLatin1(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

export function fromLatin1(text: string): string {
  return Buffer.from(text, "latin1").toString("utf8");
}
