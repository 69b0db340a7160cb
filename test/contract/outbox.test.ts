import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OutboxRow, SentRow, Store } from "../../src/store/port.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { embeddedStores } from "../support/embedded-stores.ts";
import {
  callObservation,
  FAILED,
  lines,
  NOON,
  requestObservation,
  responseObservation,
  result,
} from "../support/observations.ts";
import { postgresStores } from "../support/postgres-stores.ts";

let folder: string;
let store: Store;
let position = 0;
const apply = (text: string): ReturnType<Store["apply"]> => {
  position += 1;
  return store.apply({ journal: "j1", position: String(position), live: true, lines: text });
};
const STORES = [...embeddedStores(() => folder), ...postgresStores()];
const LATER = NOON + 60_000;
const claim = (now = LATER, limit = 100): Promise<readonly OutboxRow[]> => store.claimDue("t", now, now + 1000, limit);
const kinds = (rows: readonly OutboxRow[]): string[] => rows.map(({ about }) => about.kind).sort();
const sent = ({ id, project, session_id, version }: OutboxRow): SentRow => ({
  ...{ id, project, session_id, version },
  span_digest: 1,
  sent_scores: { tool_success: 0 },
});
const settled = (fields: Parameters<typeof callObservation>[0] = {}): string =>
  lines(callObservation({ result: result("boom", FAILED), seen_at: NOON, ...fields }));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-outbox-"));
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(STORES)("outbox contract: %s", (_name, open) => {
  beforeEach(async () => {
    store = await open();
    await store.exportTo(["t"]);
  });

  it("a settled call and its session become due after ten seconds without changes, not before", async () => {
    await apply(settled());
    expect(await claim(NOON + 9_999)).toEqual([]);
    const rows = await claim(NOON + 10_000);
    expect(kinds(rows)).toEqual(["call", "session"]);
    const call = rows.find(({ about }) => about.kind === "call");
    expect(call).toMatchObject({ version: 1, span_digest: 0, sent_scores: {} });
    expect(call?.about).toMatchObject({ kind: "call", project: "default", call: { status: "failed", id: call?.id } });
  });

  it("a pending call only queues its session, and an import queues nothing", async () => {
    await apply(lines(callObservation({ seen_at: NOON })));
    expect(kinds(await claim())).toEqual(["session"]);
    await apply(settled({ session_id: "imported", live: false }));
    expect(kinds(await claim(LATER + 5000))).toEqual(["session"]);
  });

  it("an item belongs to one claimer until its lease ends", async () => {
    await apply(settled());
    expect(kinds(await claim(LATER))).toEqual(["call", "session"]);
    expect(await claim(LATER + 999)).toEqual([]);
    expect(kinds(await claim(LATER + 1000))).toEqual(["call", "session"]);
  });

  it("a sent item is not due again until the call's outcome changes", async () => {
    await apply(settled({ source: "hook" }));
    await store.markSent("t", (await claim()).map(sent));
    expect(await claim(LATER + 5000)).toEqual([]);
    expect(await store.backlog()).toEqual([]);
    await apply(
      settled({ source: "transcript", result: result("boom", { ...FAILED, category: "timeout" }), seen_at: LATER }),
    );
    const resent = (await claim(LATER + 20_000)).find(({ about }) => about.kind === "call");
    expect(resent).toMatchObject({ version: 2, span_digest: 1, sent_scores: { tool_success: 0 } });
  });

  it("a change made while the item is being sent stays queued", async () => {
    await apply(settled());
    const rows = await claim();
    await apply(settled({ tool_call_id: "toolu_other000001", occurred_at: NOON + 5, seen_at: LATER }));
    await store.markSent("t", rows.map(sent));
    expect(kinds(await claim(LATER + 20_000))).toEqual(["call", "session"]);
  });

  it("the queue reports its size and age, and drops expired items", async () => {
    await apply(settled());
    expect(await store.backlog()).toEqual([{ target: "t", waiting: 2, oldest: NOON + 10_000 }]);
    expect(await store.dropExpired("t", NOON + 10_000)).toBe(0);
    expect(await store.dropExpired("t", NOON + 10_001)).toBe(2);
    expect(await claim()).toEqual([]);
  });

  it("a backfill queues past calls once, and again when forced", async () => {
    await store.exportTo([]);
    await apply(settled({ occurred_at: NOON }));
    await apply(settled({ session_id: "old", tool_call_id: "toolu_old00000001", occurred_at: NOON - 86_400_000 }));
    expect(await claim()).toEqual([]);
    const query = { since: NOON - 1000, limit: 10, now: NOON };
    expect(await store.backfill("t", query)).toEqual({ sessions: 1, items: 2, next_cursor: null });
    await store.markSent("t", (await claim()).map(sent));
    await store.backfill("t", query);
    expect((await claim(LATER + 5000)).map(({ span_digest }) => span_digest)).toEqual([1, 1]);
    await store.backfill("t", { ...query, force: true });
    expect((await claim(LATER + 9000)).map(({ span_digest, sent_scores }) => [span_digest, sent_scores])).toEqual([
      [0, {}],
      [0, {}],
    ]);
  });

  it("a response is queued once, with its usage and times, and a failed one without usage", async () => {
    const times = { seen_at: NOON, occurred_at: NOON };
    const exchange = (request_id: string, ended: Parameters<typeof responseObservation>[0]): string =>
      lines(
        requestObservation({ ...times, request_id, occurred_at: NOON - 900 }),
        responseObservation({ ...times, request_id, ...ended }),
      );
    await apply(
      exchange("r1", { usage: { input_tokens: 10, output_tokens: 2 } }) + exchange("r2", { http_status: 529 }),
    );
    const responses = (rows: readonly OutboxRow[]): unknown[] =>
      rows
        .flatMap(({ id, about }) => (about.kind === "response" ? [{ id, ...about.response }] : []))
        .sort((a, b) => a.id.localeCompare(b.id));
    const expected = [
      { id: "request:r2", failure: "529", started_at: NOON - 900, ended_at: NOON },
      { id: "usage:r1", usage: { input_tokens: 10, output_tokens: 2 }, started_at: NOON - 900, ended_at: NOON },
    ];
    const claimed = await claim();
    expect(responses(claimed)).toMatchObject(expected);
    await store.markSent("t", claimed.map(sent));
    expect(await claim(LATER + 5000)).toEqual([]);
    const query = { since: NOON - 5000, limit: 10, now: NOON };
    expect(await store.backfill("other", query)).toMatchObject({ sessions: 1, items: 3 });
    const filled = await store.claimDue("other", LATER, LATER + 1000, 10);
    expect(responses(filled)).toMatchObject(expected);
  });

  it("a deleted session leaves nothing in the queue", async () => {
    await apply(settled());
    await store.deleteSession("default", "s1", NOON);
    expect(await claim()).toEqual([]);
  });
});

describe("a backfill of many sessions", () => {
  it("continues at the cursor of the previous response and skips none", async () => {
    store = openSqliteStore(join(folder, "store.db"));
    for (let at = 0; at < 7; at += 1)
      await apply(
        settled({
          session_id: `s${at}`,
          tool_call_id: `toolu_many000000${at}`,
          occurred_at: NOON + (at % 3),
          live: false,
        }),
      );
    let [items, after]: [number, string | undefined] = [0, undefined];
    for (let rounds = 0; rounds < 10; rounds += 1) {
      const filled = await store.backfill("t", { limit: 2, now: NOON, ...(after !== undefined && { cursor: after }) });
      items += filled.items;
      if (filled.next_cursor === null) break;
      after = filled.next_cursor;
    }
    expect(items).toBe(14);
    expect(await claim()).toHaveLength(14);
  });
});
