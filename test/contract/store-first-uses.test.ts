import { beforeEach, expect, it } from "vitest";
import type { CallObservation } from "../../src/core/model/observation.ts";
import type { FirstUse } from "../../src/store/port.ts";
import { apply, describeEveryStore, store } from "../support/every-store.ts";
import { callObservation, NOON, OK, result } from "../support/observations.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let count = 0;
const call = (days: number, fields: Partial<CallObservation>): CallObservation => {
  count += 1;
  const at = NOON + days * DAY;
  return callObservation({
    ...{ tool_call_id: `toolu_${String(count).padStart(12, "0")}`, occurred_at: at, seen_at: at },
    ...{ result: result(`r${count}`, OK), ...fields },
  });
};

/** `name version @ days and hours after noon of the first day`. */
const short = (uses: readonly FirstUse[]): readonly string[] =>
  uses.map(({ name, version, at }) => `${name} ${version ?? "-"} @ ${(at - NOON) / HOUR}`);

describeEveryStore("first uses", () => {
  beforeEach(async () => {
    await apply(
      call(0, { model: "old", client: "codex", client_version: "1.0" }),
      call(3, { model: "old", client: "codex", client_version: "1.0" }),
      call(3.25, { model: "new", client: "codex", client_version: "1.1" }),
      call(5, { model: "new", client: "codex", client_version: "1.1", project: "other" }),
      call(5, { model: "newest", client: "aider", client_version: "9" }),
      call(6, { model: "newest", client: "aider" }),
    );
  });

  it("models and versions of clients that began in the range are found, not those of the first day of all", async () => {
    const ever = await store.firstUses({ step: "day" });
    expect(short(ever)).toEqual(["codex 1.1 @ 60", "new - @ 60", "aider 9 @ 108", "newest - @ 108"]);
    expect(ever.map(({ kind }) => kind)).toEqual(["client", "model", "client", "model"]);
    expect(short(await store.firstUses({ step: "day", since: NOON + 4 * DAY }))).toEqual([
      ...["aider 9 @ 108", "newest - @ 108"],
    ]);
    expect(short(await store.firstUses({ step: "day", until: NOON + 4 * DAY }))).toEqual([
      ...["codex 1.1 @ 60", "new - @ 60"],
    ]);
    expect(await store.firstUses({ step: "day", since: NOON + 5.5 * DAY })).toEqual([]);
  });

  it("the hour is named in a short range", async () => {
    const uses = await store.firstUses({ step: "hour", since: NOON + 3 * DAY, until: NOON + 4 * DAY });
    expect(short(uses)).toEqual(["codex 1.1 @ 78", "new - @ 78"]);
  });

  it("only one project is searched, if requested", async () => {
    expect(short(await store.firstUses({ step: "day", project: "other" }))).toEqual([
      ...["codex 1.1 @ 108", "new - @ 108"],
    ]);
  });
});
