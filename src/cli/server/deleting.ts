import type { Hooks } from "../../hook/start-hooks.ts";
import { SessionDeleter } from "../../ingest/deletion/session-deleter.ts";
import type { Ground } from "./ground.ts";
import type { Recording } from "./recording.ts";

/** Deletes sessions of a running server: in its store, its data folder and what it remembers of transcripts. */
export function createDeleter({ folder, store, now }: Ground, recording: Recording, hooks: Hooks): SessionDeleter {
  const { recorder, feed, journal, told } = recording;
  return new SessionDeleter({
    ...{ store, recorder, feed, folder, now },
    journal: journal.id,
    async settle() {
      await hooks.drainEvents();
      told.flush();
    },
    forgetTranscripts: hooks.forget,
  });
}
