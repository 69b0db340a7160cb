import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callKeyText, groupKeyText, recordId, threadKeyText } from "../../src/core/model/call-key.ts";
import type { CallLinks } from "../../src/core/model/call-links.ts";
import { type CallRecord, isCounted } from "../../src/core/model/call-record.ts";
import { callChangesOf, changedThreads, changesOf } from "../../src/core/model/changes.ts";
import { foldObservations, type Loaded, requestKeyText, sessionKeyText } from "../../src/core/model/fold.ts";
import type { Observation } from "../../src/core/model/observation.ts";
import type { RequestRecord } from "../../src/core/model/request-record.ts";
import { originKeyOf, rollupOf } from "../../src/core/model/rollup.ts";
import { addTally, EMPTY_TALLY, type SessionRecord, type Tally } from "../../src/core/model/session-record.ts";
import { type LinkChange, relinkThread, type ThreadChange } from "../../src/core/model/thread-change.ts";
import { compareOrder, LINK_WINDOW, orderOf } from "../../src/core/score/chain-call.ts";
import { hashText } from "../../src/store/hash-text.ts";
import { callObservation, FAILED, NOON, OK, requestObservation, result, UNKNOWN } from "../support/observations.ts";

/** Relinks a thread from all of its records, without any index or cache. */
function relink(
  change: ThreadChange,
  records: readonly CallRecord[],
  links: ReadonlyMap<string, CallLinks>,
): readonly LinkChange[] {
  const calls = records
    .filter((record) => isCounted(record) && threadKeyText(record.key) === threadKeyText(change.thread))
    .map((record) => ({ id: recordId(record.key, hashText), record, links: links.get(callKeyText(record.key)) }))
    .sort((a, b) => compareOrder(orderOf(a.record, a.id), orderOf(b.record, b.id)));
  const start = calls.filter(({ id, record }) => compareOrder(orderOf(record, id), change.from) < 0).length;
  const before = calls.slice(Math.max(0, start - LINK_WINDOW), start);
  return relinkThread(change, { before, after: calls.slice(start), complete: true }) as readonly LinkChange[];
}

/** A minimal store: applies batches and adds up the differences that the changes contain. */
function apply(
  batches: readonly (readonly Observation[])[],
  live = true,
): {
  records: CallRecord[];
  rollups: Map<string, Tally>;
  sessions: SessionRecord[];
  counted: string[];
  links: ReadonlyMap<string, CallLinks>;
} {
  const groups = new Map<string, readonly CallRecord[]>();
  const sessions = new Map<string, SessionRecord>();
  const [threads, requests] = [new Map<string, number>(), new Map<string, RequestRecord>()];
  const rollups = new Map<string, Tally>();
  const links = new Map<string, CallLinks>();
  const counted: string[] = [];
  for (const batch of batches) {
    const [names, leaks, prompts, promptGroups] = [new Map(), new Set<string>(), new Map(), new Map()];
    const suspensions = new Set<string>();
    const loaded: Loaded = {
      groups,
      sessions,
      threads,
      requests,
      names,
      leaks,
      suspensions,
      links,
      prompts,
      promptGroups,
      lastPrompts: new Map(),
      usages: new Map(),
    };
    const folded = foldObservations(loaded, batch);
    const calls = callChangesOf(folded, [], live);
    const records = [...groups.values()].flat();
    const linked = changedThreads(calls, hashText).flatMap((change) => relink(change, records, links));
    const changes = changesOf(loaded, folded, calls, linked, hashText);
    for (const key of changes.removed) links.delete(callKeyText(key));
    for (const { record, links: next } of [
      ...changes.written,
      ...changes.relinked.map((one) => ({ record: one.record, links: one.after })),
    ]) {
      if (next === undefined) links.delete(callKeyText(record.key));
      else links.set(callKeyText(record.key), next);
    }
    for (const removed of changes.removed) {
      const key = groupKeyText(removed);
      groups.set(
        key,
        (groups.get(key) ?? []).filter((one) => callKeyText(one.key) !== callKeyText(removed)),
      );
    }
    for (const { after, counts } of changes.calls) {
      const key = groupKeyText(after.key);
      const others = (groups.get(key) ?? []).filter((one) => one.key.occurrence !== after.key.occurrence);
      groups.set(
        key,
        [...others, after].sort((a, b) => a.key.occurrence - b.key.occurrence),
      );
      if (counts) counted.push(callKeyText(after.key));
    }
    for (const session of changes.sessions) sessions.set(sessionKeyText(session), session);
    for (const [key, at] of changes.threads) threads.set(key, at);
    for (const request of changes.requests) requests.set(requestKeyText(request), request);
    for (const { key, tally } of [...changes.rollups, ...changes.origins]) {
      const text = JSON.stringify(key);
      rollups.set(text, addTally(rollups.get(text) ?? EMPTY_TALLY, tally));
    }
  }
  return { records: [...groups.values()].flat(), rollups, sessions: [...sessions.values()], counted, links };
}

const observation: fc.Arbitrary<Observation> = fc.oneof(
  fc
    .record({
      id: fc.constantFrom("call_0", "call_1", "toolu_01A09q90qw90lq917835lq9"),
      n: fc.nat(2),
      name: fc.constantFrom("Bash", "Read"),
      at: fc.constantFrom(NOON, NOON + 1, NOON + 3_600_000),
      outcome: fc.constantFrom(undefined, OK, FAILED, UNKNOWN, { ...OK, soft: true }),
      source: fc.constantFrom("proxy" as const, "transcript" as const),
      model: fc.constantFrom(undefined, "m1", "m2"),
      origin: fc.constantFrom(undefined, "native" as const, "recovered" as const),
    })
    .map(({ id, n, name, at, outcome, source, model, origin }) =>
      callObservation({
        tool_call_id: id,
        name,
        source,
        occurred_at: at,
        place: source === "transcript" ? { kind: "exact", n } : { kind: "history", conversation: "c1", n },
        ...(model !== undefined && { model }),
        ...(origin !== undefined && { origin }),
        ...(outcome !== undefined && { result: result(`${id}-${n}`, outcome) }),
      }),
    ),
  fc.nat(3).map((id) => requestObservation({ request_id: `r${id}` })),
);
const batches = fc.array(fc.array(observation, { minLength: 1, maxLength: 6 }), { maxLength: 6 });

const nonZero = (rollups: ReadonlyMap<string, Tally>): unknown =>
  Object.fromEntries([...rollups].filter(([, tally]) => Object.values(tally).some((count) => count !== 0)).sort());

describe("observations in any order and any batches", () => {
  it("the sum of all changes equals the totals of the records", () => {
    fc.assert(
      fc.property(batches, (all) => {
        const { records, rollups, sessions, links } = apply(all);
        const recomputed = new Map<string, Tally>();
        let total = EMPTY_TALLY;
        for (const record of records) {
          const delta = rollupOf(record, links.get(callKeyText(record.key)));
          if (delta === undefined) continue;
          for (const key of [delta.key, originKeyOf(record)].map((one) => JSON.stringify(one)))
            recomputed.set(key, addTally(recomputed.get(key) ?? EMPTY_TALLY, delta.tally));
          total = addTally(total, delta.tally);
        }
        expect(nonZero(rollups)).toEqual(nonZero(recomputed));
        expect(sessions.reduce((sum, { tally }) => addTally(sum, tally), EMPTY_TALLY)).toEqual(total);
      }),
      { numRuns: 300 },
    );
  });

  it("live counters count no call twice, and a replay counts none", () => {
    fc.assert(
      fc.property(batches, (all) => {
        const { counted, records } = apply(all);
        expect(counted.length).toBeLessThanOrEqual(records.length);
        expect(apply(all, false).counted).toEqual([]);
        expect(apply([...all, ...all]).counted).toEqual(counted);
      }),
      { numRuns: 200 },
    );
  });
});
