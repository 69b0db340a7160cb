// Deletes a session and kills itself at a chosen point, without handlers or flushing, as in a power failure.
// Usage: node delete-crash-child.ts <data folder> <session> <moment>
import { dataFolder } from "../../src/ingest/data-folder.ts";
import { SessionDeleter } from "../../src/ingest/deletion/session-deleter.ts";
import { EventFeed } from "../../src/ingest/event-feed.ts";
import { Journal } from "../../src/ingest/journal/journal.ts";
import { Recorder } from "../../src/ingest/recorder.ts";
import type { Store } from "../../src/store/port.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";

const [path = "", session = "", moment = ""] = process.argv.slice(2);
const folder = dataFolder(path);
const dieAt = (name: string): void => {
  if (moment === name) process.kill(process.pid, "SIGKILL");
};

const store = openSqliteStore(folder.database);
const [deleteSession, scrub, filesCleaned] = [store.deleteSession, store.scrub, store.filesCleaned];
Object.assign(store, {
  async deleteSession(...args) {
    const deleting = deleteSession.apply(store, args);
    // The deletion yields to other work between two batches, which lets this timer run.
    setImmediate(() => setImmediate(() => dieAt("between two batches of the session")));
    const removed = await deleting;
    dieAt("after the rows, before the files");
    return removed;
  },
  async scrub() {
    dieAt("after the files, before the free pages");
    await scrub.apply(store);
    dieAt("after the free pages, before the journal");
  },
  async filesCleaned(...args) {
    dieAt("after everything, before completion is recorded");
    await filesCleaned.apply(store, args);
  },
} satisfies Partial<Store>);

const journal = new Journal({ folder: folder.journal });
const feed = new EventFeed({ store, folder: folder.events, now: Date.now });
const recorder = new Recorder({ journal, store, rejectedFile: folder.rejected });
const deleter = new SessionDeleter({
  ...{ store, recorder, folder, now: Date.now },
  feed: {
    drain: () => feed.drain(),
    removePartialLine: (file) => feed.removePartialLine(file),
    whileIdle(work) {
      dieAt("while event files are rewritten");
      return feed.whileIdle(work);
    },
  },
  journal: journal.id,
  settle: async () => undefined,
  forgetTranscripts: () => undefined,
});
await recorder.start();
await deleter.deleteSession("default", session);
