import { expect, it } from "vitest";
import type { ServerStatus } from "../../../src/api/server-status.ts";
import { recorderProblems } from "./recorder-problems.ts";

const FINE: ServerStatus = {
  ...{
    version: "1",
    command: "toolmend",
    command_options: "",
    upstreams: [],
    acknowledged: 1,
    applied: 1,
    dropped: 0,
    rejected: 0,
    unapplied_bytes: 0,
  },
  ...{ store_problem: null, set_aside: null, deleting: null, journal_problem: null },
};
const textOf = (status: Partial<ServerStatus>): readonly string[] =>
  recorderProblems({ ...FINE, ...status }).map(({ what, advice }) => `${what} ${advice}`);

it("lists nothing while everything is recorded", () => {
  expect(textOf({})).toEqual([]);
});

it("gives the command that fills the database after a broken one was set aside", () => {
  expect(textOf({ set_aside: "/data/toolmend.db.broken-2026" })).toEqual([
    "The database was broken. A new one was created, so older records are missing. The broken one is kept as /data/toolmend.db.broken-2026. Fill the new one from the event files: toolmend import /data/events. toolmend doctor shows how to read the broken one.",
  ]);
});

it("repeats the data folder in its commands, where it is not the usual one", () => {
  expect(textOf({ set_aside: "/srv/t.db.broken-2026", command_options: "--data /srv" })).toEqual([
    "The database was broken. A new one was created, so older records are missing. The broken one is kept as /srv/t.db.broken-2026. Fill the new one from the event files: toolmend import --data /srv /srv/events. toolmend doctor --data /srv shows how to read the broken one.",
  ]);
});

it("says that nothing is recorded on a full disk, even before anything was dropped", () => {
  expect(textOf({ journal_problem: "ENOSPC: no space left on device" })).toEqual([
    "Nothing is recorded: ENOSPC: no space left on device. Requests are still forwarded. Check the free disk space and the permissions of the data folder.",
  ]);
});

it("says that the store cannot be written, and what waits", () => {
  expect(textOf({ store_problem: "database is locked", unapplied_bytes: 2048 })).toEqual([
    "Cannot write to the store: database is locked. Requests are still forwarded, and 2.0 KB wait in the journal. Run toolmend doctor for details.",
  ]);
});
