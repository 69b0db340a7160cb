import type { IncomingMessage, ServerResponse } from "node:http";
import type { Observation } from "../core/model/observation.ts";
import type { DataFolder } from "../ingest/data-folder.ts";
import type { CallObserver } from "../ingest/observe/observe-call.ts";
import { transcriptRoots } from "./catch-up/allowed-transcript.ts";
import { TranscriptCatchUp } from "./catch-up/transcript-catch-up.ts";
import { type HookInletOptions, HookQueue } from "./hook-queue.ts";
import { createHookRoute } from "./hook-route.ts";
import { consumeSpool } from "./spool.ts";

export interface HooksOptions {
  readonly folder: DataFolder;
  readonly observer: CallObserver;
  readonly record: (observations: readonly Observation[]) => Promise<number>;
  readonly now: () => number;
  readonly environment: NodeJS.ProcessEnv;
  /** Further folders in which transcripts may lie. */
  readonly transcripts?: readonly string[];
  readonly onRead: (agent: string, events: number) => void;
  readonly onEvent: (agent: string, result: "unreadable" | "dropped", reason: string) => void;
  readonly onProblem: (message: string) => void;
  readonly slices?: HookInletOptions["slices"];
  readonly readLong?: HookInletOptions["readLong"];
}

/** Everything a server does about hooks: the route, the spool, the transcripts. */
export interface Hooks {
  readonly route: (request: IncomingMessage, response: ServerResponse, path: string) => void;
  /** Takes in what came while no server ran, in its own time; goes on watching the spool until it is closed. */
  start(): void;
  /** Waits until everything that arrived is in the journal. */
  drain(): Promise<void>;
  /** Like `drain`, without reading transcripts. */
  drainEvents(): Promise<void>;
  /** Removes deleted sessions from the list of known transcripts. */
  readonly forget: TranscriptCatchUp["forget"];
  close(): Promise<void>;
}

/** A folder is cheap to look at, and works where file systems tell of no changes. */
const LOOK_MS = 1000;

export function createHooks(options: HooksOptions): Hooks {
  const { observer, record, now, onRead, onEvent, onProblem } = options;
  const catchUp = new TranscriptCatchUp({
    ...{ observer, record, now, onProblem },
    file: options.folder.transcripts,
    roots: transcriptRoots(options.environment, options.transcripts ?? []),
  });
  const common = {
    ...{ observer, record, now, onRead, onEvent },
    onTranscripts: (mentions: Parameters<TranscriptCatchUp["mentioned"]>[0]) => catchUp.mentioned(mentions),
  };
  const { slices, readLong } = options;
  const inlet = new HookQueue({
    ...common,
    ...(slices !== undefined && { slices }),
    ...(readLong !== undefined && { readLong }),
  });
  let looking: Promise<unknown> | undefined;
  const look = (): Promise<unknown> => {
    looking ??= consumeSpool({ ...common, folder: options.folder.spool })
      .catch((error: Error) => onProblem(error.message))
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };
  let timer: NodeJS.Timeout | undefined;
  let started: Promise<void> | undefined;
  const start = async (): Promise<void> => {
    await look();
    timer = setInterval(() => void look(), LOOK_MS).unref();
    await catchUp.start().catch((error: Error) => onProblem(error.message));
  };
  const drainEvents = async (): Promise<void> => {
    await inlet.flush();
    await look();
  };
  const drain = async (): Promise<void> => {
    await started;
    await drainEvents();
    await catchUp.flush();
  };
  return {
    route: createHookRoute({ inlet, onProblem: (agent, reason) => onEvent(agent, "unreadable", reason) }),
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
