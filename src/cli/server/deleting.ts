import type { Hooks } from "../../hook/start-hooks.ts";
import { SessionDeleter } from "../../ingest/deletion/session-deleter.ts";
import type { RecordingPipeline } from "./recording-pipeline.ts";
import type { ServerContext } from "./server-context.ts";

/** Creates the deleter of a running server. */
export function createDeleter(
  { folder, store, now }: ServerContext,
  recording: RecordingPipeline,
  hooks: Hooks,
): SessionDeleter {
  const { recorder, feed, journal, batcher } = recording;
  return new SessionDeleter({
    ...{ store, recorder, feed, folder, now },
    journal: journal.id,
    async settle() {
      await hooks.drainEvents();
      batcher.flush();
    },
    forgetTranscripts: hooks.forget,
  });
}
