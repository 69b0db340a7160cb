import { lstat, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { messageOf } from "../../core/model/errors.ts";
import type { Observation } from "../../core/model/observation.ts";
import type { CallObserver } from "../../ingest/observe/observe-call.ts";
import type { TranscriptMention } from "../hook-event.ts";
import { type Checkpoint, readTranscript } from "../transcripts/read-transcript.ts";
import { allowedTranscript, couldBeTranscript } from "./allowed-transcript.ts";
import { KnownTranscripts } from "./known-transcripts.ts";

export interface CatchUpOptions {
  readonly file: string;
  readonly roots: readonly string[];
  readonly observer: CallObserver;
  readonly record: (observations: readonly Observation[]) => Promise<number>;
  readonly now: () => number;
  readonly onProblem: (message: string) => void;
  /** Delay before a transcript is read after the end of a turn: the client writes it slightly later. */
  readonly delayMs?: number;
}

const DELAY_MS = 300;
/** Where clients keep transcripts, below a root. */
const TRANSCRIPT_FOLDERS = ["projects", "sessions", "tmp", "session-state"];
const CHUNK = 256 << 10;
/** Larger files are not transcripts: no session writes this much. */
const MAX_TRANSCRIPT_BYTES = 1 << 30;
const MAX_DUE = 2000;
/** Allowed difference between the clock and file times. */
const CLOCK_SKEW_MS = 60_000;

/**
 * Fills gaps that events leave: reads transcripts when a turn ends, and at startup those that changed while the server
 * was not running.
 */
export class TranscriptCatchUp {
  readonly #options: CatchUpOptions;
  readonly #known: KnownTranscripts;
  readonly #startedAt: number;
  readonly #due = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;
  #stopped = false;

  constructor(options: CatchUpOptions) {
    this.#options = options;
    this.#known = new KnownTranscripts(options.file);
    this.#startedAt = options.now();
  }

  /** Reads what changed since the last event. Does nothing if no hook was ever used: the user did not opt in. */
  async start(): Promise<void> {
    const last = this.#known.lastEventAt;
    if (last === undefined) return;
    for (const path of this.#known.paths()) this.#track(path, "default", true);
    for (const root of this.#options.roots) {
      for (const folder of TRANSCRIPT_FOLDERS) {
        const changed = await changedTranscripts(join(root, folder), last - CLOCK_SKEW_MS);
        for (const path of changed) this.#track(path, "default", true);
      }
    }
    this.#known.save();
    await this.flush();
  }

  /** Stops reading. The remaining transcripts are known by path and read at the next start. */
  stop(): void {
    this.#stopped = true;
  }

  /** Removes transcripts of deleted sessions until a hook mentions them again. */
  forget(isDeleted: Parameters<KnownTranscripts["forget"]>[0]): void {
    if (this.#known.forget(isDeleted) > 0) this.#known.save();
  }

  addMentions(mentions: readonly TranscriptMention[]): void {
    const { now, delayMs = DELAY_MS } = this.#options;
    this.#known.noteEvent(now());
    for (const { path, project, due } of mentions) this.#track(path, project, due);
    // Save mentions that are not due too: the process may exit before the turn ends.
    if (this.#due.size > 0 || this.#known.isChanged)
      this.#timer ??= setTimeout(() => void this.flush(), delayMs).unref();
  }

  /** Reads all due transcripts one by one. No request waits for this. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#due.size > 0 || this.#reading !== undefined) {
      this.#reading ??= this.#readDue().finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
    this.#known.save();
  }

  /** Remembers a transcript, across restarts, until it is read. */
  #track(path: string, project: string, due: boolean): void {
    const { roots } = this.#options;
    if (this.#due.size > MAX_DUE) return;
    const known = this.#known.get(path);
    // The payload's path can contain anything, and this file is stored on disk.
    if (known === undefined && !couldBeTranscript(path, roots) && allowedTranscript(path, roots) === undefined) return;
    if (known === undefined) this.#known.set(path, { project, at: this.#options.now() });
    if (due) this.#due.set(path, known?.project ?? project);
  }

  async #readDue(): Promise<void> {
    const due = [...this.#due];
    this.#due.clear();
    for (const [path, project] of due) {
      if (this.#stopped) return;
      const real = allowedTranscript(path, this.#options.roots);
      if (real === undefined) continue;
      const subagents = await changedTranscripts(join(dirname(real), sessionOf(real), "subagents"), 0);
      for (const one of [real, ...subagents]) {
        // The subagents folder may be a link as well.
        if (allowedTranscript(one, this.#options.roots) !== one) continue;
        await this.#read(one, project).catch((error: unknown) => this.#options.onProblem(messageOf(error)));
      }
    }
  }

  async #read(path: string, project: string): Promise<void> {
    const { now, observer, record, onProblem } = this.#options;
    const { size } = await stat(path);
    const known = this.#known.get(path);
    if (known?.read_to === size) return;
    if (size > MAX_TRANSCRIPT_BYTES) {
      onProblem(`${path} is larger than ${MAX_TRANSCRIPT_BYTES} bytes and was skipped`);
      return;
    }
    // A file that became shorter was replaced.
    let checkpoint = known?.checkpoint !== undefined && known.checkpoint.offset <= size ? known.checkpoint : undefined;
    const context = { project, seenAt: now(), isLive: (at: number) => at >= this.#startedAt };
    for await (const batch of readTranscript({ path, context, from: checkpoint, chunkBytes: CHUNK })) {
      const observations = batch.rawObservations.map((one) =>
        one.kind === "call" ? observer.observe(one.call) : observer.admit(one.observation),
      );
      // Rejected by the journal: retried from the same position when the next turn ends.
      if ((await record(observations)) < observations.length) return;
      checkpoint = batch.checkpoint;
      this.#saveProgress(path, project, checkpoint);
      if (this.#stopped) return;
    }
    this.#saveProgress(path, project, checkpoint, size);
  }

  #saveProgress(path: string, project: string, checkpoint: Checkpoint | undefined, readTo?: number): void {
    this.#known.set(path, {
      project,
      at: this.#options.now(),
      ...(checkpoint !== undefined && { checkpoint }),
      ...(readTo !== undefined && { read_to: readTo }),
    });
  }
}

/** Subagents write to a folder named after the session's transcript. */
function sessionOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1, -".jsonl".length);
}

const MAX_DEPTH = 4;
const MAX_ENTRIES = 50_000;
const MAX_FILES = 500;

/** Finds transcripts modified after `since`, newest first. Bounded, because a folder may contain years of sessions. */
export async function changedTranscripts(folder: string, since: number): Promise<readonly string[]> {
  const found: { readonly path: string; readonly at: number }[] = [];
  let entries = 0;
  const walk = async (path: string, depth: number): Promise<void> => {
    const children = await readdir(path, { withFileTypes: true }).catch(() => []);
    for (const child of children) {
      entries += 1;
      if (entries > MAX_ENTRIES) return;
      const inner = join(path, child.name);
      if (child.isDirectory() && depth < MAX_DEPTH) await walk(inner, depth + 1);
      else if (child.isFile() && child.name.endsWith(".jsonl")) {
        const at = (await lstat(inner).catch(() => undefined))?.mtimeMs ?? 0;
        if (at > since) found.push({ path: inner, at });
      }
    }
  };
  await walk(folder, 1);
  return found
    .sort((a, b) => b.at - a.at)
    .slice(0, MAX_FILES)
    .map(({ path }) => path);
}
