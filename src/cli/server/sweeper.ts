import { messageOf } from "../../core/model/errors.ts";
import type { Hooks } from "../../hook/start-hooks.ts";
import { SessionDeleter } from "../../ingest/deletion/session-deleter.ts";
import { sweepStore } from "../../ingest/idle-sessions.ts";
import { RECORDER_PROBLEM_TEXT } from "./log-messages.ts";
import type { RecordingPipeline } from "./recording-pipeline.ts";
import type { ServerContext } from "./server-options.ts";

const SWEEP_MS = 60_000;

/** Periodically closes idle sessions and deletes expired ones. `alongside` runs at the same interval. */
export function startSweeper(
  context: ServerContext,
  { record, recorder }: RecordingPipeline,
  deleter: SessionDeleter,
  alongside: () => Promise<void>,
): NodeJS.Timeout {
  const { options, store, now } = context;
  const startedAt = now();
  const sweep = async (): Promise<void> => {
    const before = options.keepMs === undefined ? undefined : now() - options.keepMs;
    // Each server cleans the files in its data folder.
    await deleter.resume();
    if (before !== undefined) await deleter.retainFiles(before);
    // Only one of several servers sweeps; when its lease expires, another takes over.
    if ((await store.shared?.tryAcquireLease("sweep", 2 * SWEEP_MS)) === false) return;
    await sweepStore(store, record, now(), { idleTimeoutMs: options.idleTimeoutMs, startedAt });
    if (before !== undefined) await deleter.retain(before);
  };
  let isRunning = false;
  const sweepOnce = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    try {
      await sweep();
    } catch (error) {
      options.logger.warn(
        { problem: messageOf(error) },
        "idle sessions could not be ended, or old ones deleted; this is tried again",
      );
    } finally {
      isRunning = false;
    }
  };
  return setInterval(() => {
    void alongside();
    // Reported here too: without traffic, no write would fail.
    const problem = recorder.storeProblem;
    if (problem !== undefined) options.logger.warn({ problem }, RECORDER_PROBLEM_TEXT.store);
    void sweepOnce();
  }, options.sweepMs ?? SWEEP_MS).unref();
}

/** Creates the deleter of a running server. */
export function createDeleter(
  { folder, store, now }: ServerContext,
  recording: RecordingPipeline,
  hooks: Hooks,
  forgetBodies: () => void,
): SessionDeleter {
  const { recorder, feed, journal, batcher } = recording;
  return new SessionDeleter({
    ...{ store, recorder, feed, folder, now },
    journal: journal.id,
    async settle() {
      forgetBodies();
      await hooks.drainEvents();
      batcher.flush();
    },
    forgetTranscripts: hooks.forget,
  });
}
