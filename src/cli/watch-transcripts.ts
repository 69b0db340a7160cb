import type { DataFolder } from "../ingest/data-folder.ts";
import { ImportLedger } from "../ingest/import/import-ledger.ts";
import { TranscriptWatch } from "../ingest/import/watch-transcripts.ts";
import type { CallObserver } from "../ingest/observe/observe-call.ts";
import type { Recorder } from "../ingest/recorder.ts";
import type { Logger } from "./logger.ts";

interface Server {
  readonly folder: DataFolder;
  readonly observer: CallObserver;
  readonly recorder: Recorder;
  readonly now: () => number;
  readonly logger: Logger;
}

/** While the store is this far behind, nothing more is read: the journal belongs to live traffic first. */
const FAR_BEHIND = 32 << 20;

/** Follows transcripts into the server's own recorder. */
export function watchTranscripts(folders: readonly string[], server: Server): TranscriptWatch | undefined {
  if (folders.length === 0) return undefined;
  const { folder, observer, recorder, now, logger } = server;
  const watch = new TranscriptWatch({
    folders,
    observer,
    ledger: new ImportLedger(folder.imports, folder.database),
    project: "default",
    now,
    async send(observations) {
      if ((await recorder.record(observations)) < observations.length) throw new Error("the journal takes nothing");
      if (recorder.unappliedBytes > FAR_BEHIND) await recorder.drain();
    },
    onProblem: (message) => logger.warn({ problem: message }, "transcripts could not be followed"),
  });
  watch.start();
  return watch;
}
