import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { CallLinks } from "../../src/core/model/call-links.ts";
import type { CallObservation, Observation } from "../../src/core/model/observation.ts";
import { type ChainCall, chainContext, LINK_WINDOW } from "../../src/core/score/index.ts";
import { relink } from "../../src/core/score/relink.ts";
import type { Store } from "../../src/store/port.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import {
  callObservation,
  FAILED,
  lines,
  NOON,
  OK,
  requestObservation,
  result,
  UNKNOWN,
} from "../support/observations.ts";
import { createTestStore } from "../support/test-store.ts";

/** A typical thread of an agent: few tools, few files, parallel turns, prompts, and repeated observations. */
const thread: fc.Arbitrary<readonly Observation[]> = fc
  .array(
    fc.record({
      tool: fc.constantFrom("Bash", "Read", "Edit"),
      outcome: fc.constantFrom(OK, FAILED, FAILED, UNKNOWN, undefined),
      resource: fc.constantFrom("path:x", "path:y", "makes:x", "under:x", "target:y"),
      sameTurn: fc.boolean(),
      prompt: fc.constantFrom("p1", "p2", undefined),
      made: fc.boolean(),
      told: fc.boolean(),
    }),
    { minLength: 1, maxLength: 14 },
  )
  .map((calls) => {
    let turn = 0;
    let index = 0;
    return calls.flatMap(({ tool, outcome, resource, sameTurn, prompt, made, told }, n): readonly Observation[] => {
      if (sameTurn && n > 0) index += 1;
      else {
        turn = n;
        index = 0;
      }
      const id = `toolu_${String(n).padStart(12, "x")}q`;
      const seen: Partial<CallObservation> = {
        tool_call_id: id,
        name: tool,
        turn: `t${turn}`,
        turn_index: index,
        order: n,
        ...(prompt !== undefined && { prompt }),
        arguments: { fingerprint: `${tool}${resource}`, keys: {}, resources: [resource], size_bytes: 1 },
      };
      const response = { kind: "response", conversation: "c", n: 0, response_id: `m${turn}` } as const;
      return [
        ...(made ? [callObservation({ ...seen, occurred_at: NOON + turn * 10, place: response })] : []),
        callObservation({
          ...seen,
          occurred_at: NOON + 5000,
          place: { kind: "history", conversation: "c", n: 0 },
          ...(outcome !== undefined && { result: result(id, outcome) }),
        }),
        ...(told && prompt !== undefined
          ? [
              {
                ...requestObservation({ occurred_at: NOON + turn * 10 }),
                kind: "prompt",
                prompt,
                workflow: prompt,
              } as const,
            ]
          : []),
      ];
    });
  });

async function told(store: Store, project: string): Promise<unknown> {
  return [
    await store.sessionDetail(project, "s1"),
    await store.summary({ project }),
    await store.breakdown("tool", { project }),
    await store.breakdown("workflow", { project }),
    await store.sessions({ project, category: "exit_code" }),
  ];
}

const folder = mkdtempSync(join(tmpdir(), "toolmend-links-"));
const store = openSqliteStore(join(folder, "store.db"));
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("the links of a thread", () => {
  it("any order, repetition and split of observations gives the same links", { timeout: 60_000 }, async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(thread, fc.infiniteStream(fc.nat()), async (made, random) => {
        runs += 1;
        const project = `p${runs}`;
        const observations = made.map((one) => ({ ...one, project }));
        const next = (below: number): number => (random.next().value as number) % below;
        const plain = createTestStore();
        await plain.apply({ journal: "j", position: "1", live: true, lines: lines(...observations) });
        const repeated = [...observations, ...observations.filter(() => next(3) === 0)];
        const shuffled = repeated.map((one) => [next(1000), one] as const).sort(([a], [b]) => a - b);
        for (let at = 0; at < shuffled.length; ) {
          const batch = shuffled.slice(at, at + 1 + next(4)).map(([, one]) => one);
          at += batch.length;
          await store.apply({ journal: "j", position: "1", live: true, lines: lines(...batch) });
        }
        expect(await told(store, project)).toEqual(await told(plain, project));
        await plain.close();
      }),
      { numRuns: 150 },
    );
  });

  it("neither the length of the lookback beyond the window nor the restart position changes them", () => {
    const call = fc.record({
      tool: fc.constantFrom("Bash", "Read"),
      status: fc.constantFrom("ok" as const, "failed" as const, "failed" as const),
      resource: fc.constantFrom("path:x", "path:y", "makes:x"),
      newTurn: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(call, { minLength: 2, maxLength: 3 * LINK_WINDOW }), fc.nat(), (made, cut) => {
        let turn = 0;
        const calls = made.map(({ tool, status, resource, newTurn }, at): ChainCall => {
          if (newTurn) turn = at;
          const args = { fingerprint: `${tool}${resource}`, keys: {}, resources: [resource] };
          return { id: `c${at}`, tool, status, turn: `t${turn}`, arguments: args };
        });
        const whole = chainContext(calls).map(({ links }) => links);
        const from = cut % calls.length;
        const known = calls.map((one, at) => ({ call: one, links: at < from ? whole[at] : undefined }));
        // A later recovery was not known before, so compare without it, as the store had the links then.
        const before = known.slice(Math.max(0, from - LINK_WINDOW), from).map(({ call: one, links }) => {
          const { recovered_by, ...rest } = links as CallLinks;
          const early = recovered_by !== undefined && Number(recovered_by.slice(1)) < from;
          return { call: one, links: early ? { ...rest, recovered_by } : rest };
        });
        const stretch = { atLeast: calls.length - from, complete: true, removed: new Set<string>() };
        const moves = relink(before, known.slice(from), stretch).changes;
        const again = new Map(moves.map(({ id, after }) => [id, after]));
        for (const [at, { id }] of calls.entries()) {
          if (at >= from) expect(again.get(id)).toEqual(whole[at]);
          else if (again.has(id)) expect(again.get(id)).toEqual(whole[at]);
          else if (at >= from - LINK_WINDOW)
            expect(before[at - Math.max(0, from - LINK_WINDOW)]?.links).toEqual(whole[at]);
        }
      }),
      { numRuns: 200 },
    );
  });
});
