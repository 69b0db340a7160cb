import type { IncomingMessage, ServerResponse } from "node:http";
import { isValidId } from "../core/model/call-key.ts";
import { messageOf } from "../core/model/errors.ts";
import type { Observation } from "../core/model/observation.ts";
import type { DataFolder } from "../ingest/data-folder.ts";
import type { CallObserver } from "../ingest/observe/observe-call.ts";
import type { KnownServers } from "../mcp/known-servers.ts";
import { joinChunks } from "../proxy/body/body-copy.ts";
import { discardBody } from "../proxy/http/end-early.ts";
import { type HookAgent, isHookAgent } from "./agent-names.ts";
import { transcriptRoots } from "./catch-up/allowed-transcript.ts";
import { TranscriptCatchUp } from "./catch-up/transcript-catch-up.ts";
import { HookGuard, type HookGuardOptions } from "./hook-guard.ts";
import { HookQueue, type HookQueueOptions } from "./hook-queue.ts";
import { consumeSpool } from "./spool.ts";

export interface HooksOptions {
  readonly folder: DataFolder;
  readonly observer: CallObserver;
  readonly record: (observations: readonly Observation[]) => Promise<number>;
  readonly now: () => number;
  readonly mcpServers: KnownServers;
  readonly environment: NodeJS.ProcessEnv;
  /** Additional folders that may contain transcripts. */
  readonly transcripts?: readonly string[];
  readonly onRead: (agent: string, events: number) => void;
  readonly onEvent: (agent: string, result: "unreadable" | "dropped", reason: string) => void;
  readonly onProblem: (message: string) => void;
  /** Blocks calls of agents that ask before each of them. */
  readonly guard?: HookGuardOptions;
  readonly slices?: HookQueueOptions["slices"];
  readonly readLongEvent?: HookQueueOptions["readLongEvent"];
}

/** The hook services of a server: route, spool and transcript catch-up. */
export interface Hooks {
  readonly route: (request: IncomingMessage, response: ServerResponse, path: string) => void;
  /** Records events spooled while no server was running, in the background, then polls the spool until `close`. */
  start(): void;
  /** Waits until everything that arrived is in the journal. */
  drain(): Promise<void>;
  /** Like `drain`, without reading transcripts. */
  drainEvents(): Promise<void>;
  /** Removes deleted sessions from the list of known transcripts. */
  readonly forget: TranscriptCatchUp["forget"];
  close(): Promise<void>;
}

/** Polling is cheap and also works on file systems without change notifications. */
const POLL_INTERVAL_MS = 1000;

export function createHooks(options: HooksOptions): Hooks {
  const { observer, record, now, onRead, onEvent, onProblem } = options;
  const catchUp = new TranscriptCatchUp({
    ...{ observer, record, now, onProblem },
    file: options.folder.transcripts,
    roots: transcriptRoots(options.environment, options.transcripts ?? []),
  });
  const common = {
    ...{ observer, record, now, onRead, onEvent },
    onTranscripts: (mentions: Parameters<TranscriptCatchUp["addMentions"]>[0]) => catchUp.addMentions(mentions),
  };
  const { slices, readLongEvent } = options;
  const queue = new HookQueue({
    ...common,
    ...(slices !== undefined && { slices }),
    ...(readLongEvent !== undefined && { readLongEvent }),
  });
  const guard = options.guard === undefined ? undefined : new HookGuard(options.guard);
  let consuming: Promise<unknown> | undefined;
  const consume = (): Promise<unknown> => {
    consuming ??= consumeSpool({ ...common, folder: options.folder.spool, mcpServers: options.mcpServers })
      .catch((error: unknown) => onProblem(messageOf(error)))
      .finally(() => {
        consuming = undefined;
      });
    return consuming;
  };
  let timer: NodeJS.Timeout | undefined;
  let started: Promise<void> | undefined;
  const start = async (): Promise<void> => {
    await consume();
    timer = setInterval(() => void consume(), POLL_INTERVAL_MS).unref();
    await catchUp.start().catch((error: unknown) => onProblem(messageOf(error)));
  };
  const drainEvents = async (): Promise<void> => {
    await queue.flush();
    await consume();
  };
  const drain = async (): Promise<void> => {
    await started;
    await drainEvents();
    await catchUp.flush();
  };
  return {
    route: createHookRoute({
      queue,
      ...(guard !== undefined && { guard }),
      onProblem: (agent, reason) => onEvent(agent, "unreadable", reason),
    }),
    start() {
      started ??= start();
    },
    drain,
    drainEvents,
    forget: (isDeleted) => catchUp.forget(isDeleted),
    async close() {
      catchUp.stop();
      await drain();
      clearInterval(timer);
    },
  };
}

export interface HookRouteOptions {
  readonly queue: Pick<HookQueue, "enqueue">;
  readonly guard?: Pick<HookGuard, "answer" | "read" | "isUsed">;
  readonly onProblem: (agent: HookAgent | "unknown", reason: string) => void;
}

const MAX_BODY_BYTES = 16 << 20;
const RESPONSE_BODY = "{}";
const HEADERS = { "content-type": "application/json", "content-length": RESPONSE_BODY.length };

/**
 * Handles `POST /hooks/<agent>`. Except for the guard's own hook, always responds with 200 and `{}` as soon as the body
 * has arrived, because the agent waits for the response and an error could block its tool. Unreadable events are
 * counted instead.
 */
export function createHookRoute({ queue, guard, onProblem }: HookRouteOptions) {
  return (request: IncomingMessage, response: ServerResponse, path: string): void => {
    if (request.method !== "POST") {
      request.resume();
      response.writeHead(405, { allow: "POST", "content-length": 0 }).end();
      return;
    }
    const agent = path.slice("/hooks/".length);
    const chunks: Buffer[] = [];
    let size = 0;
    const respond = (): void => void response.writeHead(200, HEADERS).end(RESPONSE_BODY);
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) {
        chunks.push(chunk);
        return;
      }
      request.off("data", onData);
      request.off("end", onEnd);
      respond();
      discardBody(request);
      onProblem(isHookAgent(agent) ? agent : "unknown", `the event is larger than ${MAX_BODY_BYTES} bytes`);
    };
    const onEnd = (): void => {
      if (agent === GUARDED) {
        answerGuard(joinChunks(chunks).toString("utf8"), response, guard);
        return;
      }
      respond();
      if (!isHookAgent(agent)) onProblem("unknown", "unknown agent");
      else if (request.headers["x-toolmend-record"] !== "off") {
        // Decoded now: a small buffer slice would keep its whole underlying buffer in memory.
        const body = joinChunks(chunks);
        const event = body.toString("utf8");
        queue.enqueue(agent, event, projectOf(request));
        if (agent === "claude-code" && guard?.isUsed === true) readSafely(event, guard);
      }
    };
    request.on("data", onData);
    request.on("end", onEnd);
  };
}

/** The path, below `/hooks/`, of the event that may be answered with a block. */
const GUARDED = "claude-code/guard";

/** If in doubt, the call passes. */
function answerGuard(event: string, response: ServerResponse, guard: HookRouteOptions["guard"]): void {
  let answer = RESPONSE_BODY;
  try {
    answer = guard?.answer(event) ?? RESPONSE_BODY;
  } catch {
    // The event cannot be classified.
  }
  const length = Buffer.byteLength(answer);
  response.writeHead(200, { "content-type": "application/json", "content-length": length }).end(answer);
}

function readSafely(event: string, guard: NonNullable<HookRouteOptions["guard"]>): void {
  try {
    guard.read(event);
  } catch {
    // The event is recorded nevertheless.
  }
}

function projectOf({ headers }: IncomingMessage): string {
  const project = headers["x-toolmend-project"];
  return typeof project === "string" && isValidId(project) ? project : "default";
}
