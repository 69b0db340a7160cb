import { mkdirSync, readdirSync, rename, renameSync, writeFile, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { McpEvent, McpEventFile } from "../event.ts";

export interface EventWriterOptions {
  /** The folder of wrappers inside the spool. */
  readonly folder: string;
  /** Random id of this process. */
  readonly instance: string;
}

const BATCH_DELAY_MS = 200;
const MAX_BATCH_EVENTS = 200;
const MAX_BATCH_CHARS = 4 << 20;
/** While no server consumes the spool, it must not fill the disk. */
const MAX_SPOOLED_FILES = 5000;
/** Writes that wait for a slow disk. */
const MAX_QUEUED_CHARS = 8 << 20;

/**
 * Writes events to the spool in batches, without delaying traffic. A file is complete once it has its final name. If
 * the disk is full or slow, events are dropped and counted.
 */
export class EventWriter {
  readonly #options: EventWriterOptions;
  #batch: string[] = [];
  #batchChars = 0;
  /** Batches that are being written, by file number. */
  readonly #pending = new Map<number, string>();
  #pendingChars = 0;
  #files = 0;
  #timer: NodeJS.Timeout | undefined;
  #isPrepared = false;
  dropped = 0;

  constructor(options: EventWriterOptions) {
    this.#options = options;
  }

  add(event: McpEvent): void {
    const text = JSON.stringify(event);
    if (this.#pendingChars + this.#batchChars + text.length > MAX_QUEUED_CHARS) {
      this.dropped += 1;
      return;
    }
    this.#batch.push(text);
    this.#batchChars += text.length;
    if (this.#batch.length >= MAX_BATCH_EVENTS || this.#batchChars >= MAX_BATCH_CHARS) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), BATCH_DELAY_MS).unref();
  }

  /** Writes everything before the process exits, including batches whose write has not finished. */
  close(): void {
    clearTimeout(this.#timer);
    const last = this.#takeBatch();
    if (last !== undefined) this.#pending.set(this.#nextFile(), last);
    if (this.#pending.size === 0 || !this.#prepare()) return;
    for (const [number, text] of this.#pending) {
      const { draft, path } = this.#paths(number, "x");
      try {
        writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
        renameSync(draft, path);
      } catch {
        this.dropped += 1;
      }
    }
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const events = this.#batch.length;
    const text = this.#takeBatch();
    if (text === undefined) return;
    if (!this.#prepare()) {
      this.dropped += events;
      return;
    }
    const number = this.#nextFile();
    const { draft, path } = this.#paths(number, "");
    this.#pending.set(number, text);
    this.#pendingChars += text.length;
    const done = (error: Error | null): void => {
      this.#pending.delete(number);
      this.#pendingChars -= text.length;
      if (error !== null) this.dropped += events;
    };
    writeFile(draft, text, { mode: 0o600, flag: "wx" }, (error) => {
      if (error === null) rename(draft, path, done);
      else done(error);
    });
  }

  #takeBatch(): string | undefined {
    if (this.#batch.length === 0) return undefined;
    const head: Pick<McpEventFile, "v"> = { v: 1 };
    const text = `{"v":${head.v},"events":[${this.#batch.join(",")}]}`;
    this.#batch = [];
    this.#batchChars = 0;
    return text;
  }

  #nextFile(): number {
    this.#files += 1;
    return this.#files;
  }

  #paths(number: number, suffix: string): { readonly draft: string; readonly path: string } {
    const { folder, instance } = this.#options;
    const draft = join(folder, `.${instance}-${number}${suffix}`);
    return { draft, path: `${draft}.json` };
  }

  /** Creates the folder. Returns false if nothing can be written there, or too much waits there already. */
  #prepare(): boolean {
    const { folder } = this.#options;
    try {
      if (!this.#isPrepared) mkdirSync(folder, { recursive: true, mode: 0o700 });
      this.#isPrepared = true;
      return readdirSync(folder).length < MAX_SPOOLED_FILES;
    } catch {
      return false;
    }
  }
}
