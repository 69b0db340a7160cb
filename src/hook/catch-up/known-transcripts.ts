import { readFileSync } from "node:fs";
import { isObject } from "../../core/model/narrow.ts";
import { replaceOwnFile } from "../../ingest/own-file.ts";
import type { Checkpoint } from "../transcripts/read-transcript.ts";

/** Read progress of one transcript. Contains none of its text. */
export interface KnownTranscript {
  readonly project: string;
  /** When it was last mentioned or read. */
  readonly at: number;
  /** Its size when it was last read to the end. */
  readonly read_to?: number;
  readonly checkpoint?: Checkpoint;
}

const EVENT_TIME_PRECISION_MS = 10_000;
const MAX_TRANSCRIPTS = 600;
/** A reader's memory is bounded by its counters; a larger checkpoint is not saved. */
const MAX_CHECKPOINT_BYTES = 16 << 10;

/** Transcripts mentioned by hooks, stored in a small file. If it is lost, they are only read again. */
export class KnownTranscripts {
  readonly #path: string;
  readonly #files = new Map<string, KnownTranscript>();
  #lastEventAt: number | undefined;
  #changed = false;

  constructor(path: string) {
    this.#path = path;
    this.#load();
  }

  /** When the last event arrived; undefined if there was none. */
  get lastEventAt(): number | undefined {
    return this.#lastEventAt;
  }

  get isChanged(): boolean {
    return this.#changed;
  }

  get(path: string): KnownTranscript | undefined {
    return this.#files.get(path);
  }

  paths(): readonly string[] {
    return [...this.#files.keys()];
  }

  /** Records the time of an event. Saved only now and then, not with every event. */
  noteEvent(at: number): void {
    if (this.#lastEventAt !== undefined && at < this.#lastEventAt + EVENT_TIME_PRECISION_MS) return;
    this.#lastEventAt = at;
    this.#changed = true;
  }

  set(path: string, known: KnownTranscript): void {
    const { checkpoint, ...rest } = known;
    const small = checkpoint !== undefined && JSON.stringify(checkpoint).length <= MAX_CHECKPOINT_BYTES;
    this.#files.delete(path);
    this.#files.set(path, small ? known : rest);
    for (const oldest of this.#files.keys()) {
      if (this.#files.size <= MAX_TRANSCRIPTS) break;
      this.#files.delete(oldest);
    }
    this.#changed = true;
  }

  /** Removes transcripts whose path contains the id of a deleted session; returns how many. */
  forget(isDeleted: (session: { readonly project: string; readonly session_id: string }) => boolean): number {
    let removed = 0;
    for (const [path, { project }] of this.#files) {
      if (!namesIn(path).some((session_id) => isDeleted({ project, session_id }))) continue;
      this.#files.delete(path);
      this.#changed = true;
      removed += 1;
    }
    return removed;
  }

  save(): void {
    if (!this.#changed) return;
    const text = JSON.stringify({ v: 1, last_event_at: this.#lastEventAt, files: Object.fromEntries(this.#files) });
    try {
      replaceOwnFile(this.#path, `${text}\n`);
      this.#changed = false;
    } catch {
      // For example a full disk. The transcripts still exist and are read again.
    }
  }

  #load(): void {
    try {
      const value: unknown = JSON.parse(readFileSync(this.#path, "utf8"));
      if (!isObject(value)) return;
      if (typeof value.last_event_at === "number") this.#lastEventAt = value.last_event_at;
      for (const [path, known] of Object.entries(value.files ?? {})) if (isKnown(known)) this.#files.set(path, known);
    } catch {
      // Missing or damaged: all transcripts are read from the start.
    }
  }
}

/**
 * Returns the parts of a transcript's path that may be a session id: names of the file and its folders, and the UUID at
 * the end of a rollout's name.
 */
function namesIn(path: string): readonly string[] {
  const names = path.split("/").map((name) => name.replace(/\.jsonl$/, ""));
  return [...names, ...names.filter((name) => name.length > UUID_LENGTH).map((name) => name.slice(-UUID_LENGTH))];
}

const UUID_LENGTH = 36;

function isKnown(value: unknown): value is KnownTranscript {
  if (!isObject(value)) return false;
  const { project, at, checkpoint } = value;
  return typeof project === "string" && typeof at === "number" && (checkpoint === undefined || isOffsetIn(checkpoint));
}

function isOffsetIn(checkpoint: unknown): boolean {
  if (!isObject(checkpoint)) return false;
  const { offset } = checkpoint;
  return typeof offset === "number" && Number.isSafeInteger(offset) && offset >= 0;
}
