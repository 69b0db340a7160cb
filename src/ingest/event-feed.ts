import { join } from "node:path";
import type { EventLine, Store } from "../store/port.ts";
import { appendToFile, openOwnFile } from "./append-to-file.ts";

const CURSOR = "events";
const BATCH_SIZE = 2000;

/** Who follows the feed. */
export interface FeedListener {
  onLine(line: string): void;
  onClose(): void;
}

export interface EventFeedOptions {
  readonly store: Store;
  /** The name under which the store remembers how far this feed has come; one for each server of a shared store. */
  readonly cursor?: string;
  /** Folder of the JSONL files, one per day. */
  readonly folder: string;
  readonly now: () => number;
  readonly onProblem?: (message: string) => void;
}

/**
 * Copies the store's events to `events/YYYY-MM-DD.jsonl` and to whoever listens. The cursor moves after the lines are written:
 * after a crash lines may repeat, with the same event_id, and none is missing.
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

  /** Tells every event line from now on; returns how to stop. */
  subscribe(listener: FeedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Sends the listeners home: a server that waits for them to leave would never stop. */
  close(): void {
    for (const listener of this.#listeners) listener.onClose();
    this.#listeners.clear();
  }

  /** Writes out everything that is new; calls that come while it runs share one more run. */
  drain(): Promise<void> {
    this.#hasNewEvents = true;
    this.#draining ??= this.whileIdle(() => this.#copyAll())
      .catch((error: unknown) => this.#options.onProblem?.((error as Error).message))
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
        const events = await store.events(this.#cursor, BATCH_SIZE);
        if (events.length === 0) break;
        await this.#write(events);
        this.#cursor = (events.at(-1) as EventLine).id;
        await store.moveCursor(cursor, this.#cursor);
        if (events.length < BATCH_SIZE) break;
      }
    }
  }

  async #write(events: readonly EventLine[]): Promise<void> {
    const day = new Date(this.#options.now()).toISOString().slice(0, 10);
    const text = events.map(({ line }) => `${line}\n`).join("");
    const path = join(this.#options.folder, `${day}.jsonl`);
    if (this.#cleanFile !== path) await truncatePartialLine(path);
    // Known to end with a whole line only once this write has succeeded.
    this.#cleanFile = undefined;
    await appendToFile(path, text);
    this.#cleanFile = path;
    for (const { line } of events) for (const listener of this.#listeners) listener.onLine(line);
  }
}

/** A process that was killed may have left half a line; it stands before the cursor and will be written again. */
async function truncatePartialLine(path: string): Promise<void> {
  const file = await openOwnFile(path, "change").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
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
