import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { EventFeed } from "../event-feed.ts";
import type { DraftJob, DraftResult } from "./draft-worker.ts";
import { type Pass, replaceByDraft } from "./drop-lines.ts";
import { isLineOf } from "./session-lines.ts";

const DAY_FILE = /^\d{4}-\d{2}-\d{2}\.jsonl$/;

/**
 * Removes the lines of sessions from `events/*.jsonl`; returns how many. The feed pauses only while a draft replaces a
 * file.
 */
export async function dropSessionEvents(
  folder: string,
  sessions: ReadonlySet<string>,
  feed: Pick<EventFeed, "whileIdle" | "removePartialLine">,
): Promise<number> {
  const paths = (await dayFiles(folder)).map((name) => join(folder, name));
  if (paths.length === 0 || sessions.size === 0) return 0;
  // A crash may have left an incomplete last line, which names no session reliably.
  for (const path of paths) await feed.removePartialLine(path);
  const isUnwanted = isLineOf(sessions);
  let dropped = 0;
  await runDraftWorker({ paths, sessions: [...sessions] }, async (path, drafted) => {
    dropped += await feed.whileIdle(() => replaceByDraft(path, drafted, isUnwanted));
  });
  return dropped;
}

/** Removes the files of days that ended before `before`; returns how many. */
export async function dropEventDays(folder: string, before: number): Promise<number> {
  const first = new Date(before).toISOString().slice(0, 10);
  const old = (await dayFiles(folder)).filter((name) => name.slice(0, 10) < first);
  for (const name of old) await rm(join(folder, name), { force: true });
  return old.length;
}

async function dayFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => DAY_FILE.test(name)).sort();
}

/** Runs the worker and handles each draft as soon as it is complete. */
async function runDraftWorker(job: DraftJob, onDraft: (path: string, drafted: Pass) => Promise<void>): Promise<void> {
  const script = new URL(import.meta.url.endsWith(".ts") ? "./draft-worker.ts" : "./draft-worker.js", import.meta.url);
  const worker = new Worker(script, { workerData: job });
  let replacing: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    worker.on("message", ({ path, drafted, error }: DraftResult) => {
      replacing = replacing.then(async () => {
        if (error !== undefined) throw new Error(`${path} could not be rewritten: ${error}`);
        if (drafted !== undefined) await onDraft(path, drafted);
      });
      replacing.catch(reject);
    });
    worker.on("error", reject);
    worker.on("exit", () => resolve());
  });
  await replacing;
}
