import { type FSWatcher, watch } from "node:fs";
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { messageOf } from "../../core/model/errors.ts";
import { type FoundFile, findTranscripts, isTranscriptName } from "./find-transcripts.ts";
import { type ImportOptions, TranscriptImport } from "./import-files.ts";

export interface WatchOptions extends Omit<ImportOptions, "isLive" | "onProgress"> {
  readonly folders: readonly string[];
  readonly onProblem: (message: string) => void;
  /** Polling interval in ms, for tests. */
  readonly tickMs?: number;
  readonly walkMs?: number;
}

/** Files modified within this time are read at the start; older ones when they change, or by `toolmend import`. */
const RECENT_MS = 24 * 3_600_000;
/** Files modified within this time are checked in every tick, in case the file system misses a change event. */
const ACTIVE_MS = 3_600_000;
const MAX_ACTIVE_FILES = 200;
const TICK_MS = 1000;
/** Interval between full scans. Shorter if the file system sends no change events. */
const WALK_MS = 30_000;
const WALK_WITHOUT_EVENTS_MS = 3000;
/** Small, so that reading a transcript does not delay live traffic. */
const CHUNK_BYTES = 64 << 10;

/** Watches transcript folders and records new lines within about 2 seconds. */
export class TranscriptWatch {
  readonly #options: WatchOptions;
  readonly #import: TranscriptImport;
  readonly #startedAt: number;
  readonly #changed = new Set<string>();
  readonly #known = new Map<string, FoundFile>();
  readonly #watchers: FSWatcher[] = [];
  #hasChangeEvents = true;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #walkedAt = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#startedAt = options.now();
    // Calls from now on are live, like all traffic; earlier ones are history.
    const isLive = (occurredAt: number): boolean => occurredAt >= this.#startedAt;
    this.#import = new TranscriptImport({ chunkBytes: CHUNK_BYTES, ...options, isLive });
  }

  start(): void {
    for (const folder of this.#options.folders) this.#watchFolder(resolve(folder));
    this.#schedule(0);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers) watcher.close();
    await this.#running;
    this.#import.save();
  }

  /** Change events are only a hint: scans find the same changes later. */
  #watchFolder(folder: string): void {
    try {
      const watcher = watch(folder, { recursive: true }, (_event, name) => {
        if (name !== null && isTranscriptName(name)) this.#changed.add(join(folder, name));
      });
      watcher.on("error", () => {
        this.#hasChangeEvents = false;
        watcher.close();
      });
      this.#watchers.push(watcher);
    } catch {
      this.#hasChangeEvents = false;
    }
  }

  #schedule(waitMs: number): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#importChanged()
        .catch((error: unknown) => this.#options.onProblem(messageOf(error)))
        .finally(() => this.#schedule(this.#options.tickMs ?? TICK_MS));
    }, waitMs).unref();
  }

  async #importChanged(): Promise<void> {
    const files = await this.#candidates();
    const changed = files.filter((file) => isChanged(this.#known.get(file.path), file));
    for (const file of changed) {
      if (this.#closed) return;
      await this.#import.importFiles([file]).catch((error: unknown) => {
        // Nothing is lost: the file is read again from its checkpoint.
        this.#changed.add(file.path);
        throw error;
      });
      this.#known.set(file.path, file);
    }
  }

  async #candidates(): Promise<readonly FoundFile[]> {
    const now = this.#options.now();
    if (now - this.#walkedAt >= (this.#options.walkMs ?? (this.#hasChangeEvents ? WALK_MS : WALK_WITHOUT_EVENTS_MS)))
      return await this.#walk(now);
    const named = [...this.#changed];
    this.#changed.clear();
    const paths = new Set([...named, ...this.#active(now)]);
    return (await Promise.all([...paths].map(fileAt))).filter((file) => file !== undefined);
  }

  async #walk(now: number): Promise<readonly FoundFile[]> {
    const first = this.#walkedAt === Number.NEGATIVE_INFINITY;
    this.#walkedAt = now;
    this.#changed.clear();
    const { files, problems } = await findTranscripts(this.#options.folders);
    if (first) {
      for (const file of files) if (file.mtimeMs < now - RECENT_MS) this.#known.set(file.path, file);
      for (const { path, message } of problems) this.#options.onProblem(`${path}: ${message}`);
    }
    return files;
  }

  #active(now: number): readonly string[] {
    return [...this.#known.values()]
      .filter(({ mtimeMs }) => now - mtimeMs < ACTIVE_MS)
      .sort((a, b) => b.mtimeMs - a.mtimeMs)
      .slice(0, MAX_ACTIVE_FILES)
      .map(({ path }) => path);
  }
}

function isChanged(known: FoundFile | undefined, file: FoundFile): boolean {
  return known === undefined || known.size !== file.size || known.mtimeMs !== file.mtimeMs || known.ino !== file.ino;
}

async function fileAt(path: string): Promise<FoundFile | undefined> {
  const stats = await stat(path).catch(() => undefined);
  return stats?.isFile() === true ? { path, size: stats.size, mtimeMs: stats.mtimeMs, ino: stats.ino } : undefined;
}
