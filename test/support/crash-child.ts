// Records observations and kills itself at a chosen point, without handlers or flushing, as in a power failure.
// Usage: node crash-child.ts <data folder> <moment> <first call number>
import { writeSync } from "node:fs";
import { dataFolder, prepareDataFolder } from "../../src/ingest/data-folder.ts";
import { EventFeed } from "../../src/ingest/event-feed.ts";
import { Journal } from "../../src/ingest/journal/journal.ts";
import { Recorder } from "../../src/ingest/recorder.ts";
import type { Store } from "../../src/store/port.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { callObservation, FAILED, result } from "./observations.ts";

const [path = "", moment = "", first = "0"] = process.argv.slice(2);
const folder = dataFolder(path);
prepareDataFolder(folder);
const die = (): void => {
  process.kill(process.pid, "SIGKILL");
};

let batches = 0;
const store = openSqliteStore(folder.database);
const dying: Store = Object.assign(Object.create(store) as Store, {
  async apply(batch) {
    batches += 1;
    if (moment === "between-journal-and-store" && batches === 3) die();
    return await store.apply(batch);
  },
  async moveCursor(name, position) {
    if (moment === "between-events-and-cursor" && position > 20) die();
    await store.moveCursor(name, position);
  },
  async eventText(after) {
    if (moment === "between-store-and-events" && batches === 3) die();
    return await store.eventText(after);
  },
} satisfies Partial<Store>);

const feed = new EventFeed({ store: dying, folder: folder.events, now: Date.now });
const recorder = new Recorder({
  journal: new Journal({ folder: folder.journal, batchMs: 2 }),
  store: dying,
  rejectedFile: folder.rejected,
  onApplied: () => void feed.drain(),
});
await recorder.start();
for (let at = Number(first); ; at += 1) {
  const id = `toolu_crash${String(at).padStart(8, "0")}x`;
  await recorder.record([callObservation({ tool_call_id: id, result: result(`boom ${at}`, FAILED) })]);
  // Written synchronously to the pipe: whatever the parent reads was acknowledged.
  writeSync(1, `${id}\n`);
}
