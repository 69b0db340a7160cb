import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Observation } from "../core/model/observation.ts";
import type { CallObserver } from "../ingest/observe/observe-call.ts";
import type { KnownServers } from "../mcp/known-servers.ts";
import { readEvent, SPOOL_WRITERS, type SpoolWriter } from "./agents.ts";
import { type RawHookObservation, type TranscriptMention, toObservations, unreadable } from "./hook-event.ts";
import { SPOOL_EXTENSION } from "./spool-line.ts";
import type { SpoolState } from "./spool-state.ts";

export interface SpoolOptions {
  readonly folder: string;
  readonly observer: CallObserver;
  /** Resolves with the number of acknowledged observations: all or 0. */
  readonly record: (observations: readonly Observation[]) => Promise<number>;
  readonly now: () => number;
  /** Receives what wrappers of MCP servers reveal about them. */
  readonly mcpServers?: KnownServers;
  readonly onRead?: (agent: SpoolWriter, events: number) => void;
  readonly onEvent?: (agent: SpoolWriter, result: "unreadable", reason: string) => void;
  readonly onTranscripts?: (mentions: readonly TranscriptMention[]) => void;
}

export interface SpoolTotals {
  readonly read: number;
  readonly broken: number;
}

const MAX_EVENT_BYTES = 16 << 20;
const BATCH_SIZE = 100;
/** An event that does not fit with others forms a separate batch. */
const MAX_BATCH_BYTES = MAX_EVENT_BYTES;
const MAX_QUARANTINED_EVENTS = 100;
/** Age after which an unfinished file counts as abandoned by its writer. */
const ABANDONED_MS = 60 * 60 * 1000;

interface SpooledFile {
  readonly agent: SpoolWriter;
  readonly path: string;
  readonly name: string;
  readonly at: number;
  readonly size: number;
}

/**
 * Records the events that hooks wrote to files. A file is deleted only after its observations are in the journal: after
 * a crash in between it is read again and gives the same observations. Unreadable files are quarantined.
 */
export async function consumeSpool(options: SpoolOptions): Promise<SpoolTotals> {
  let [read, broken] = [0, 0];
  for (const files of batchesOf(await listSpooledFiles(options))) {
    const batch = await consumeBatch(files, options);
    if (batch === undefined) break;
    read += batch.read;
    broken += batch.broken;
  }
  return { read, broken };
}

/** Splits files into batches limited by count and size, so that memory stays bounded. */
function* batchesOf(files: readonly SpooledFile[]): Generator<readonly SpooledFile[]> {
  let batch: SpooledFile[] = [];
  let size = 0;
  for (const file of files) {
    if (batch.length === BATCH_SIZE || (batch.length > 0 && size + file.size > MAX_BATCH_BYTES)) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(file);
    size += file.size;
  }
  if (batch.length > 0) yield batch;
}

/** Returns undefined if the journal rejects the observations; then the files stay in place. */
async function consumeBatch(files: readonly SpooledFile[], options: SpoolOptions): Promise<SpoolTotals | undefined> {
  const { observer, now, record, mcpServers, onRead, onEvent, onTranscripts } = options;
  const raw: RawHookObservation[] = [];
  const done: SpooledFile[] = [];
  const mentions: TranscriptMention[] = [];
  let broken = 0;
  for (const file of files) {
    const body = await contentOf(file.path);
    if (body === undefined) continue;
    const context = { at: file.at, now: now(), project: "default", hash: observer.hash };
    const event =
      body === "too large"
        ? unreadable("the event is too large")
        : readEvent(file.agent, body.text, context, mcpServers);
    if (event.kind === "unreadable") {
      broken += 1;
      onEvent?.(file.agent, "unreadable", event.reason);
      await quarantine(file, options, event.reason);
      continue;
    }
    for (const one of event.rawObservations) raw.push(one);
    for (const mention of event.transcripts ?? []) mentions.push(mention);
    done.push(file);
  }
  const observations = toObservations(raw, observer);
  if ((await record(observations)) < observations.length) return undefined;
  for (const { path, agent } of done) {
    await rm(path, { force: true });
    onRead?.(agent, 1);
  }
  onTranscripts?.(mentions);
  return { read: done.length, broken };
}

/** Lists complete files, oldest first. A file's modification time serves as the time of its event. */
async function listSpooledFiles(options: SpoolOptions): Promise<readonly SpooledFile[]> {
  const { folder, now } = options;
  const found: SpooledFile[] = [];
  for (const agent of SPOOL_WRITERS) {
    for (const name of await namesIn(join(folder, agent))) {
      const path = join(folder, agent, name);
      const stat = await lstat(path).catch(() => undefined);
      if (stat?.isFile() !== true) continue;
      const at = Math.floor(stat.mtimeMs);
      const file = { agent, path, name, at, size: stat.size };
      if (name.endsWith(SPOOL_EXTENSION)) found.push(file);
      else if (at < now() - ABANDONED_MS) await quarantine(file, options, "the writer did not finish this file");
    }
  }
  return found.sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1));
}

/** A hook writes its event within milliseconds, so an older draft is abandoned. */
const MAX_DRAFT_AGE_MS = 60_000;

/**
 * Removes quarantined events older than `before`, and abandoned drafts. Neither can be assigned reliably to a session,
 * so deleting a session removes them all.
 */
export async function dropUnreadable(folder: string, before: number): Promise<void> {
  await dropOlder(join(folder, "broken"), before, () => true);
  for (const agent of SPOOL_WRITERS)
    await dropOlder(join(folder, agent), Date.now() - MAX_DRAFT_AGE_MS, (name) => !name.endsWith(SPOOL_EXTENSION));
}

async function dropOlder(folder: string, before: number, matches: (name: string) => boolean): Promise<void> {
  for (const name of (await namesIn(folder)).filter(matches)) {
    const path = join(folder, name);
    const { mtimeMs = Number.POSITIVE_INFINITY } = (await lstat(path).catch(() => undefined)) ?? {};
    if (mtimeMs < before) await rm(path, { force: true });
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return await readdir(folder).catch(() => []);
}

async function contentOf(path: string): Promise<{ readonly text: string } | "too large" | undefined> {
  // The file may have been replaced since lstat: follow no link out of the folder and do not block on a pipe.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return undefined;
    if (stat.size > MAX_EVENT_BYTES) return "too large";
    return { text: await file.readFile("utf8") };
  } finally {
    await file.close();
  }
}

/**
 * Replaces an unreadable event by a note with the reason and as much text as the capture mode allows. The event itself
 * may contain any tool output and is deleted. The number of notes is limited, so that a faulty hook cannot fill the
 * disk.
 */
async function quarantine({ agent, path, name }: SpooledFile, options: SpoolOptions, reason: string): Promise<void> {
  const aside = join(options.folder, "broken");
  await mkdir(aside, { recursive: true, mode: 0o700 });
  if ((await namesIn(aside)).length < MAX_QUARANTINED_EVENTS) {
    const body = await contentOf(path);
    const captured = typeof body === "object" ? options.observer.captureText(body.text, "result") : undefined;
    const note = captured === undefined ? reason : `${reason}\n${captured}`;
    await writeFile(join(aside, `${agent}${name}`), `${note}\n`, { mode: 0o600 }).catch(() => undefined);
  }
  await rm(path, { force: true });
}

/** Counts the queued and the quarantined events in a spool folder. */
export async function countSpool(folder: string): Promise<SpoolState> {
  const namesIn = (name: string): Promise<readonly string[]> => readdir(join(folder, name)).catch(() => []);
  const spooled = await Promise.all(SPOOL_WRITERS.map(namesIn));
  return {
    waiting: spooled.flat().filter((name) => name.endsWith(SPOOL_EXTENSION)).length,
    broken: (await namesIn("broken")).length,
  };
}
