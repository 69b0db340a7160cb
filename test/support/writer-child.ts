// Records the lines of a file through its own journal; prints the number of calls its counters counted.
// Usage: node writer-child.ts <database> <journal folder> <lines file>
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Observation } from "../../src/core/model/observation.ts";
import { Journal } from "../../src/ingest/journal/journal.ts";
import { Recorder } from "../../src/ingest/recorder.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";

const [database = "", journalFolder = "", linesFile = ""] = process.argv.slice(2);
let counted = 0;
const store = openSqliteStore(database);
const recorder = new Recorder({
  journal: new Journal({ folder: journalFolder, batchMs: 1 }),
  store,
  rejectedFile: join(journalFolder, "rejected.jsonl"),
  onApplied: (applied) => {
    counted += applied.counted.length;
  },
});
await recorder.start();
for (const line of readFileSync(linesFile, "utf8").split("\n").filter(Boolean)) {
  await recorder.record([JSON.parse(line) as Observation]);
}
await recorder.close();
await store.close();
console.log(counted);
