import { mkdirSync, readdirSync, rename, renameSync, writeFile, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface EventWriterOptions {
  /** The folder of wrappers inside the spool. */
  readonly folder: string;
  /** Id of this process. */
  readonly instance: string;
  /** The first line of each file, as latin1. */
  readonly header: () => string;
}

const BATCH_DELAY_MS = 200;
const MAX_BATCH_LINES = 500;
const MAX_BATCH_CHARS = 1 << 20;
/** While no server consumes the spool, it must not fill the disk. */
const MAX_SPOOLED_FILES = 5000;
/** Batches that wait for a slow disk. */
const MAX_QUEUED_CHARS = 8 << 20;
/** The client may wait for the exit. */
const CLOSE_TIMEOUT_MS = 200;

interface Batch {
  readonly text: string;
  readonly lines: number;
}

/**
 * Writes lines to the spool in batches, without delaying traffic. A file is complete once it has its final name. If the
 * disk is full or slow, lines are dropped and counted.
 */
export class EventWriter {
  readonly #options: EventWriterOptions;
  #lines: string[] = [];
  #chars = 0;
  /** Batches that are being written, by file number. */
  readonly #pending = new Map<number, Batch>();
  #pendingChars = 0;
  #files = 0;
  #timer: NodeJS.Timeout | undefined;
  #isPrepared = false;
  #onWritten: (() => void) | undefined;
  dropped = 0;

  constructor(options: EventWriterOptions) {
    this.#options = options;
  }

  /** @param line as latin1 */
  add(line: string): void {
    if (this.#pendingChars + this.#chars + line.length > MAX_QUEUED_CHARS) {
      this.dropped += 1;
      return;
    }
    this.#lines.push(line);
    this.#chars += line.length;
    if (this.#lines.length >= MAX_BATCH_LINES || this.#chars >= MAX_BATCH_CHARS) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), BATCH_DELAY_MS).unref();
  }

  /** Writes everything before the process exits. Waits shortly for running writes, then repeats them. */
  async close(): Promise<void> {
    this.#flush();
    if (this.#pending.size > 0)
      await new Promise<void>((resolve) => {
        this.#onWritten = resolve;
        setTimeout(resolve, CLOSE_TIMEOUT_MS);
      });
    for (const [number, { text }] of this.#pending) {
      const { draft, path } = this.#paths(number, "x");
      try {
        writeFileSync(draft, text, { mode: 0o600, flag: "wx", encoding: "latin1" });
        renameSync(draft, path);
      } catch {
        // The disk is full: the process ends, and nothing is left to count it.
      }
    }
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#lines.length;
    if (lines === 0) return;
    const text = `${this.#options.header()}\n${this.#lines.join("\n")}\n`;
    this.#lines = [];
    this.#chars = 0;
    if (!this.#prepare()) {
      this.dropped += lines;
      return;
    }
    this.#files += 1;
    const number = this.#files;
    const { draft, path } = this.#paths(number, "");
    this.#pending.set(number, { text, lines });
    this.#pendingChars += text.length;
    const done = (error: Error | null): void => {
      this.#pending.delete(number);
      this.#pendingChars -= text.length;
      if (error !== null) this.dropped += lines;
      if (this.#pending.size === 0) this.#onWritten?.();
    };
    writeFile(draft, text, { mode: 0o600, flag: "wx", encoding: "latin1" }, (error) => {
      if (error === null) rename(draft, path, done);
      else done(error);
    });
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
