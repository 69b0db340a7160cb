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
const BATCH_BYTES = 512 << 10;
/** Limit for the spool while no server consumes it. */
const MAX_SPOOLED_FILES = 5000;
/** Batches that wait for a slow disk. */
const MAX_PENDING_BATCHES = 8;
/** The client may wait for the exit. */
const CLOSE_TIMEOUT_MS = 200;

/**
 * Writes lines to the spool in batches, without delaying traffic. A file is complete once it has its final name. If the
 * disk is full or slow, lines are dropped and counted.
 */
export class EventWriter {
  readonly #options: EventWriterOptions;
  /** Lines are copied immediately: buffered texts would survive several garbage collections. */
  #batch = Buffer.alloc(0);
  #used = 0;
  #lines = 0;
  /** A buffer that can be used again. */
  #spare: Buffer<ArrayBuffer> | undefined;
  /** Batches that are being written, by file number. */
  readonly #pending = new Map<number, Buffer>();
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
    const size = line.length + 1;
    if (this.#used + size > this.#batch.length) {
      this.#flush();
      if (this.#pending.size >= MAX_PENDING_BATCHES) {
        this.dropped += 1;
        return;
      }
      const header = `${this.#options.header()}\n`;
      const isLarge = header.length + size > BATCH_BYTES;
      this.#batch = isLarge ? Buffer.alloc(header.length + size) : (this.#spare ?? Buffer.alloc(BATCH_BYTES));
      if (!isLarge) this.#spare = undefined;
      this.#used = this.#batch.write(header, 0, "latin1");
    }
    this.#used += this.#batch.write(line, this.#used, "latin1");
    this.#used += this.#batch.write("\n", this.#used, "latin1");
    this.#lines += 1;
    this.#timer ??= setTimeout(() => this.#flush(), BATCH_DELAY_MS).unref();
  }

  /** Writes everything before the process exits. Waits shortly for running writes, then repeats them. */
  async close(): Promise<void> {
    this.#flush();
    if (this.#pending.size > 0)
      await new Promise<void>((resolve) => {
        this.#onWritten = resolve;
        setTimeout(resolve, CLOSE_TIMEOUT_MS);
      });
    for (const [number, bytes] of this.#pending) {
      const { draft, path } = this.#paths(number, "x");
      try {
        writeFileSync(draft, bytes, { mode: 0o600, flag: "wx" });
        renameSync(draft, path);
      } catch {
        // The disk is full: the process ends, and nothing is left to count it.
      }
    }
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [batch, lines] = [this.#batch, this.#lines];
    const bytes = batch.subarray(0, this.#used);
    this.#batch = Buffer.alloc(0);
    this.#used = 0;
    this.#lines = 0;
    if (lines === 0) return;
    if (!this.#prepare()) {
      this.dropped += lines;
      return;
    }
    this.#files += 1;
    const number = this.#files;
    const { draft, path } = this.#paths(number, "");
    this.#pending.set(number, bytes);
    const done = (error: Error | null): void => {
      this.#pending.delete(number);
      if (batch.length === BATCH_BYTES) this.#spare = batch;
      if (error !== null) this.dropped += lines;
      if (this.#pending.size === 0) this.#onWritten?.();
    };
    writeFile(draft, bytes, { mode: 0o600, flag: "wx" }, (error) => {
      if (error === null) rename(draft, path, done);
      else done(error);
    });
  }

  #paths(number: number, suffix: string): { readonly draft: string; readonly path: string } {
    const { folder, instance } = this.#options;
    const draft = join(folder, `.${instance}-${number}${suffix}`);
    return { draft, path: `${draft}.json` };
  }

  /** Creates the folder. Returns false if it is not writable, or already contains too much. */
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
