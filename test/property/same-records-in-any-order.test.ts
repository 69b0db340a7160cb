import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { callKeyText } from "../../src/core/model/call-key.ts";
import type { CallRecord } from "../../src/core/model/call-record.ts";
import { recordStatus, toolName } from "../../src/core/model/call-record.ts";
import { mergeRecords, recordOf } from "../../src/core/model/merge.ts";
import type { CallObservation, Observation } from "../../src/core/model/observation.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { args, callObservation, FAILED, lines, NOON, OK, requestObservation, result } from "../support/observations.ts";
import { permutations } from "../support/orders.ts";
import { reusedIds } from "../support/reused-ids.ts";
import { createTestStore } from "../support/test-store.ts";

/** What must be equal in every order: the calls, and the facts about each. */
function told(records: readonly CallRecord[]): readonly string[] {
  return records
    .map((record) =>
      [
        callKeyText({ ...record.key, project: "default" }).replaceAll("\u0000", " "),
        toolName(record),
        recordStatus(record),
        record.facts.result?.value.hash,
        record.inherited_from === undefined ? "own" : "inherited",
        record.sources.join("+"),
      ].join(" | "),
    )
    .sort();
}

const shared = createTestStore();
afterAll(() => shared.close());
let projects = 0;

/** Applies the observations one by one to a project of their own, and returns its records. */
async function recordsAfter(observations: readonly Observation[]): Promise<readonly string[]> {
  projects += 1;
  const project = `p${projects}`;
  for (const observation of observations) {
    await shared.apply({ journal: "j", position: "1", live: true, lines: lines({ ...observation, project }) });
  }
  return told(shared.records(project));
}

/** The same call through the four sources. */
function fourChannels(
  id: string,
  name: string,
  text: string,
  at: number,
  n = 0,
  conversation = "c1",
): CallObservation[] {
  const seen = { tool_call_id: id, name, arguments: args(text) };
  const outcome = result(text, FAILED);
  return [
    callObservation({
      ...seen,
      occurred_at: at,
      place: { kind: "response", conversation, n, response_id: `m-${text}` },
    }),
    callObservation({ ...seen, occurred_at: at + 50, place: { kind: "history", conversation, n }, result: outcome }),
    callObservation({
      ...seen,
      occurred_at: at + 20,
      source: "hook",
      place: { kind: "newest" },
      result: { ...outcome, hash: `hook:${text}` },
    }),
    callObservation({
      ...seen,
      occurred_at: at + 30,
      source: "transcript",
      place: { kind: "exact", n },
      result: outcome,
    }),
  ];
}

describe("the same calls through every source, in all orders", () => {
  const [response, history, hook, transcript] = [0, 1, 2, 3] as const;
  const pick = (all: CallObservation[], ...channels: number[]): CallObservation[] =>
    channels.map((channel) => all[channel] as CallObservation);

  const TABLE: readonly (readonly [name: string, observations: readonly Observation[], keys: readonly string[]])[] = [
    [
      "one call, four channels",
      fourChannels("toolu_01AbCdEfGhIjKl", "Bash", "boom", NOON),
      ["default s1 root toolu_01AbCdEfGhIjKl 0 | Bash | failed | h:boom | own | hook+proxy+transcript"],
    ],
    [
      "a call that hooks saw refused: asked for, and answered for by the client",
      [
        callObservation({ source: "hook", place: { kind: "newest" }, permission_requested: true }),
        callObservation({
          ...{ source: "hook", place: { kind: "newest" }, occurred_at: NOON + 5 },
          result: {
            ...result("no", { ...FAILED, phase: "call" }),
            not_executed: true,
            if_permission_requested: { ...FAILED, phase: "gate" },
          },
        }),
        callObservation({ source: "hook", place: { kind: "newest" }, occurred_at: NOON + 9, turn: "t" }),
      ],
      ["default s1 root toolu_aaaaaaaaaaaa 0 | Bash | failed | h:no | own | hook"],
    ],
    [
      "a call that the batch tells of and a hook saw run",
      [
        callObservation({ source: "hook", place: { kind: "newest" }, permission_requested: true }),
        callObservation({
          ...{ source: "hook", place: { kind: "newest" }, occurred_at: NOON + 1 },
          result: { ...result("as the model read it", FAILED), not_executed: true, if_permission_requested: FAILED },
        }),
        callObservation({ source: "hook", place: { kind: "newest" }, occurred_at: NOON + 5, result: result("ran") }),
      ],
      ["default s1 root toolu_aaaaaaaaaaaa 0 | Bash | ok | h:ran | own | hook"],
    ],
    [
      "an id that the server uses twice",
      [
        ...pick(fourChannels("call_0", "Bash", "first", NOON, 0), response, history, transcript),
        ...pick(fourChannels("call_0", "Read", "second", NOON + 1000, 1), response, history, transcript),
      ],
      [
        "default s1 root call_0 0 | Bash | failed | h:first | own | proxy+transcript",
        "default s1 root call_0 1 | Read | failed | h:second | own | proxy+transcript",
      ],
    ],
    [
      "a reused id across a compaction",
      [
        ...pick(fourChannels("call_0", "Bash", "before", NOON, 0, "c1"), response, history),
        ...pick(fourChannels("call_0", "Bash", "after", NOON + 5000, 0, "summary"), response, history),
        fourChannels("call_0", "Bash", "after", NOON + 5000, 1)[transcript] as CallObservation,
      ],
      [
        "default s1 root call_0 0 | Bash | failed | h:before | own | proxy",
        "default s1 root call_0 1 | Bash | failed | h:after | own | proxy+transcript",
      ],
    ],
    [
      "a counter id whose result a compaction carries over",
      [
        ...pick(fourChannels("call_0", "Bash", "before", NOON, 0, "c1"), response),
        callObservation({
          ...{ tool_call_id: "call_0", name: "Bash", arguments: args("before"), occurred_at: NOON + 9000 },
          place: { kind: "history", conversation: "summary", n: 0 },
          result: result("done", OK),
        }),
        ...pick(fourChannels("call_0", "Bash", "next", NOON + 9500, 1, "summary"), response, history),
      ],
      [
        "default s1 root call_0 0 | Bash | ok | h:done | own | proxy",
        "default s1 root call_0 1 | Bash | failed | h:next | own | proxy",
      ],
    ],
    [
      "a tail kept by a compaction, with a result the client has cleared",
      [
        ...pick(fourChannels("toolu_01AbCdEfGhIjKl", "Bash", "boom", NOON), response, history, hook),
        callObservation({
          tool_call_id: "toolu_01AbCdEfGhIjKl",
          occurred_at: NOON + 9000,
          arguments: args("boom"),
          place: { kind: "history", conversation: "summary", n: 0 },
          result: result("[cleared]", FAILED),
        }),
      ],
      ["default s1 root toolu_01AbCdEfGhIjKl 0 | Bash | failed | h:boom | own | hook+proxy"],
    ],
    [
      "a fork that carries the call along and goes on",
      [
        requestObservation({ occurred_at: NOON - 10 }),
        ...pick(fourChannels("toolu_01AbCdEfGhIjKl", "Bash", "boom", NOON), response, history),
        requestObservation({ session_id: "fork", request_id: "r9", occurred_at: NOON + 7000 }),
        callObservation({
          session_id: "fork",
          tool_call_id: "toolu_01AbCdEfGhIjKl",
          arguments: args("boom"),
          occurred_at: NOON + 7000,
          result: result("boom", FAILED),
        }),
        callObservation({
          session_id: "fork",
          tool_call_id: "toolu_02MnOpQrStUvWx",
          name: "Read",
          arguments: args("own"),
          occurred_at: NOON + 8000,
          result: result("own", OK),
        }),
      ],
      [
        "default fork root toolu_01AbCdEfGhIjKl 0 | Bash | failed | h:boom | inherited | proxy",
        "default fork root toolu_02MnOpQrStUvWx 0 | Read | ok | h:own | own | proxy",
        "default s1 root toolu_01AbCdEfGhIjKl 0 | Bash | failed | h:boom | own | proxy",
      ],
    ],
    [
      "one id in the root thread and in a sub-agent",
      [
        ...pick(fourChannels("toolu_01AbCdEfGhIjKl", "Bash", "root", NOON), response, history),
        ...pick(fourChannels("toolu_01AbCdEfGhIjKl", "Bash", "sub", NOON + 5), response, history).map((one) => ({
          ...one,
          agent_id: "a1",
        })),
      ],
      [
        "default s1 a1 toolu_01AbCdEfGhIjKl 0 | Bash | failed | h:sub | own | proxy",
        "default s1 root toolu_01AbCdEfGhIjKl 0 | Bash | failed | h:root | own | proxy",
      ],
    ],
  ];

  it.each(TABLE)("%s: same keys, same count", async (_name, observations, expected) => {
    for (const order of permutations(observations)) expect(await recordsAfter(order)).toEqual(expected);
  });
});

describe("merge", () => {
  const observation = fc
    .record({
      kind: fc.constantFrom("response", "history", "exact", "newest"),
      source: fc.constantFrom("proxy", "hook", "transcript", "library"),
      at: fc.integer({ min: 0, max: 5 }),
      name: fc.constantFrom("Bash", "Read", undefined),
      text: fc.constantFrom("x", "y", undefined),
      failed: fc.boolean(),
      model: fc.constantFrom("big", "small", undefined),
    })
    .map(({ kind, source, at, name, text, failed, model }) =>
      callObservation({
        source: source as CallObservation["source"],
        occurred_at: NOON + at,
        seen_at: NOON + at,
        place: { kind, conversation: "c1", n: 0, response_id: `m${at}` } as CallObservation["place"],
        ...(name && { name }),
        ...(text && {
          result: result(text, failed ? FAILED : OK),
          arguments: { ...args(text), ...(failed && { preview: `${text}${at}` }) },
        }),
        ...(model && { model }),
      } as Partial<CallObservation>),
    );
  const key = { project: "default", session_id: "s1", agent_id: "root", tool_call_id: "t", occurrence: 0 };
  const record = observation.map((one) => recordOf(one, key));

  it("the merge of two records is commutative, associative and idempotent", () => {
    fc.assert(
      fc.property(record, record, record, (a, b, c) => {
        expect(mergeRecords(a, b)).toEqual(mergeRecords(b, a));
        expect(mergeRecords(mergeRecords(a, b), c)).toEqual(mergeRecords(a, mergeRecords(b, c)));
        expect(mergeRecords(a, a)).toEqual(a);
      }),
      { numRuns: 500 },
    );
  });
});

describe("two ingest instances on one store", () => {
  const traffic = reusedIds({ minLength: 1, maxLength: 12 });

  it("any order, repetition and split gives the same records, rollups and counters", {
    timeout: 60_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(traffic, fc.infiniteStream(fc.nat()), async (observations, random) => {
        const next = (below: number): number => (random.next().value as number) % below;
        const shuffled = [...observations, ...observations.filter(() => next(2) === 0)].sort(() => next(3) - 1);
        const folder = mkdtempSync(join(tmpdir(), "toolmend-order-"));
        try {
          const plain = createTestStore();
          let plainCounted = 0;
          for (const one of observations) {
            plainCounted += (await plain.apply({ journal: "j", position: "1", live: true, lines: lines(one) })).counted
              .length;
          }
          const path = join(folder, "store.db");
          const instances = [openSqliteStore(path), openSqliteStore(path)] as const;
          let counted = 0;
          for (let at = 0; at < shuffled.length; ) {
            const batch = shuffled.slice(at, at + 1 + next(3));
            at += batch.length;
            const store = instances[next(2) as 0 | 1];
            counted += (
              await store.apply({ journal: `j${next(2)}`, position: "1", live: true, lines: lines(...batch) })
            ).counted.length;
          }
          expect(counted).toBe(plainCounted);
          expect(await instances[0].breakdown("tool", {})).toEqual(await plain.breakdown("tool", {}));
          expect(await instances[1].sessions({})).toEqual(await plain.sessions({}));
          expect(await instances[1].summary({})).toEqual(await plain.summary({}));
          await Promise.all([plain, ...instances].map((store) => store.close()));
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      }),
      { numRuns: 60 },
    );
  });
});
