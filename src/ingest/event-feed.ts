import { join } from "node:path";
import { codeOf, messageOf } from "../core/model/errors.ts";
import type { Store } from "../store/port.ts";
import { appendToFile, openOwnFile } from "./own-file.ts";

const CURSOR = "events";

export interface FeedListener {
  onLine(line: string): void;
  onClose(): void;
}

export interface EventFeedOptions {
  readonly store: Store;
  /** Name of this feed's cursor in the store. Servers that share a store need different names. */
  readonly cursor?: string;
  /** Folder of the JSONL files, one per day. */
  readonly folder: string;
  readonly now: () => number;
  readonly onProblem?: (message: string) => void;
}

/**
 * Copies the store's events to `events/YYYY-MM-DD.jsonl` and to all listeners. The cursor moves after the lines are
 * written: after a crash, lines may repeat with the same event_id, but none is missing.
 */
export class EventFeed {
  readonly #options: EventFeedOptions;
  readonly #listeners = new Set<FeedListener>();
  #cursor: number | undefined;
  #draining: Promise<void> | undefined;
  /** Serializes everything that touches the files. */
  #last: Promise<unknown> = Promise.resolve();
  #hasNewEvents = false;
  #cleanFile: string | undefined;

  constructor(options: EventFeedOptions) {
    this.#options = options;
  }

  /** Sends every new event line to the listener. Returns a function that unsubscribes it. */
  subscribe(listener: FeedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Disconnects all listeners. Their connections would otherwise keep the server from stopping. */
  close(): void {
    for (const listener of this.#listeners) listener.onClose();
    this.#listeners.clear();
  }

  /** Writes all new events. Calls during a run share one further run. */
  drain(): Promise<void> {
    this.#hasNewEvents = true;
    this.#draining ??= this.whileIdle(() => this.#copyAll())
      .catch((error: unknown) => this.#options.onProblem?.(messageOf(error)))
      .finally(() => {
        this.#draining = undefined;
      });
    return this.#draining;
  }

  /** Runs `work` while the feed writes nothing; new events are written afterwards. */
  whileIdle<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Removes an incomplete last line left by a killed process. */
  removePartialLine(path: string): Promise<void> {
    return this.whileIdle(() => truncatePartialLine(path));
  }

  async #copyAll(): Promise<void> {
    const { store, cursor = CURSOR } = this.#options;
    while (this.#hasNewEvents) {
      this.#hasNewEvents = false;
      this.#cursor ??= await store.cursor(cursor);
      for (;;) {
        const events = await store.eventText(this.#cursor);
        if (events === undefined) break;
        if (events.text !== "") await this.#write(events.text);
        this.#cursor = events.last;
        await store.moveCursor(cursor, this.#cursor);
        if (!events.hasMore) break;
      }
    }
  }

  async #write(text: string): Promise<void> {
    const day = new Date(this.#options.now()).toISOString().slice(0, 10);
    const path = join(this.#options.folder, `${day}.jsonl`);
    if (this.#cleanFile !== path) await truncatePartialLine(path);
    // The file is known to end with a complete line only after this write succeeds.
    this.#cleanFile = undefined;
    await appendToFile(path, text);
    this.#cleanFile = path;
    if (this.#listeners.size === 0) return;
    for (const line of text.split("\n").slice(0, -1)) for (const listener of this.#listeners) listener.onLine(line);
  }
}

/** A killed process may leave a partial line. The cursor has not passed its event, so it is written again. */
async function truncatePartialLine(path: string): Promise<void> {
  const file = await openOwnFile(path, "change").catch((error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error;
  });
  if (file === undefined) return;
  try {
    const { size } = await file.stat();
    for (let end = size; end > 0; ) {
      const length = Math.min(64 * 1024, end);
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, end - length);
      const newline = buffer.lastIndexOf(10);
      if (newline !== -1) return await file.truncate(end - length + newline + 1);
      end -= length;
    }
    await file.truncate(0);
  } finally {
    await file.close();
  }
}
