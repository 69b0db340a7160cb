import { Worker } from "node:worker_threads";
import type { Arrival } from "../../api/ingest-lines.ts";
import type { Observation } from "../../core/model/observation.ts";
import type { ReadResult } from "../../core/model/read-observation.ts";
import type { HookAgent } from "../../hook/agent-names.ts";
import type { HookReadContext, TranscriptMention } from "../../hook/hook-event.ts";
import type { LongEvent } from "../../hook/hook-queue.ts";
import type { ObserverSettings } from "../../ingest/observe/observe-call.ts";
import { workerEnvironment } from "../../store/thread/worker-environment.ts";

export type ObserveTask =
  | { readonly kind: "ingest-line"; readonly line: string; readonly arrival: Arrival }
  | {
      readonly kind: "hook-event";
      readonly agent: HookAgent;
      readonly body: string;
      readonly moment: Omit<HookReadContext, "hash">;
    };

export type ObserveResult =
  | { readonly kind: "line"; readonly read: ReadResult }
  | {
      readonly kind: "event";
      readonly observations: readonly Observation[];
      readonly transcripts: readonly TranscriptMention[];
    }
  | { readonly kind: "unreadable"; readonly reason: string };

/** Large values are rare, so an idle thread ends. */
const IDLE_MS = 30_000;
const MAX_OLD_GENERATION_MB = 512;

/**
 * Observes large payloads in a worker thread, so that none of them blocks the event loop. The first one starts the
 * thread.
 */
export class ObserveThread {
  readonly #settings: ObserverSettings;
  readonly #waiting = new Map<number, (result: ObserveResult) => void>();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(settings: ObserverSettings) {
    this.#settings = settings;
  }

  async ingestLine(line: string, arrival: Arrival): Promise<ReadResult> {
    const result = await this.#send({ kind: "ingest-line", line, arrival });
    if (result.kind === "line") return result.read;
    return { kind: "rejected", reason: result.kind === "unreadable" ? result.reason : "it cannot be read" };
  }

  async hookEvent(agent: HookAgent, body: string, moment: Omit<HookReadContext, "hash">): Promise<LongEvent> {
    const result = await this.#send({ kind: "hook-event", agent, body, moment });
    return result.kind === "line" ? { kind: "unreadable", reason: "it cannot be read" } : result;
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #send(task: ObserveTask): Promise<ObserveResult> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    this.#lastId += 1;
    const id = this.#lastId;
    this.#worker.postMessage({ id, task });
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
    });
  }

  #start(): Worker {
    const script = new URL(
      import.meta.url.endsWith(".ts") ? "./observe-worker.ts" : "./observe-worker.js",
      import.meta.url,
    );
    const resourceLimits = { maxOldGenerationSizeMb: MAX_OLD_GENERATION_MB };
    const worker = new Worker(script, { workerData: this.#settings, env: workerEnvironment(), resourceLimits });
    worker.on("message", ({ id, result }: { readonly id: number; readonly result: ObserveResult }) => {
      this.#waiting.get(id)?.(result);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref();
    });
    // A failed worker rejects what it was reading; the next large value starts another.
    worker.on("error", () => undefined);
    worker.on("exit", () => {
      if (this.#worker === worker) this.#worker = undefined;
      for (const resolve of this.#waiting.values())
        resolve({ kind: "unreadable", reason: "it is too large to be read" });
      this.#waiting.clear();
    });
    return worker;
  }
}
