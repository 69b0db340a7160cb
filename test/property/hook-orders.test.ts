import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { Observation } from "../../src/core/model/observation.ts";
import { readEvent } from "../../src/hook/agents.ts";
import { toObservations } from "../../src/hook/hook-event.ts";
import { CallObserver } from "../../src/ingest/observe/observe-call.ts";
import { CALLS, hookEvents, SESSION } from "../support/hook-session.ts";
import { NOON } from "../support/observations.ts";
import { createTestStore } from "../support/test-store.ts";

const observer = new CallObserver({ capture: "errors", salt: "salt" });

/** Every event of the session with its arrival time. */
const EVENTS = hookEvents({ pre: true }).map((payload, at) => ({ body: JSON.stringify(payload), at: NOON + at * 10 }));

function observed(events: readonly { readonly body: string; readonly at: number }[]): readonly Observation[] {
  const seen = events.flatMap(({ body, at }) => {
    const moment = { at, now: at, project: "default", hash: observer.hash };
    const reading = readEvent("claude-code", body, moment);
    return reading.kind === "read" ? reading.rawObservations : [];
  });
  return toObservations(seen, observer);
}

const store = createTestStore();
afterAll(() => store.close());
let projects = 0;

async function told(lots: readonly (readonly Observation[])[]): Promise<readonly string[]> {
  projects += 1;
  const project = `p${projects}`;
  for (const lot of lots) {
    const lines = lot.map((one) => `${JSON.stringify({ ...one, project })}\n`).join("");
    await store.apply({ journal: "j", position: "1", live: true, lines });
  }
  return store
    .records(project)
    .map(({ key, facts }) => {
      const outcome = facts.result?.value.outcome;
      const verdict = [outcome?.status, outcome?.phase, outcome?.category].join(" ");
      return `${key.session_id} ${key.tool_call_id} ${key.occurrence}: ${verdict} ${facts.turn?.value} ${facts.turn_index?.value}`;
    })
    .sort();
}

const EXPECTED = CALLS.map(({ id, ends, category }) => {
  const verdict = ends === "ok" ? "ok  " : `failed ${ends} ${category}`;
  const turn = { toolu_abReadGone02: "toolu_aaListFiles01 1", toolu_afWrong06: "toolu_aeNoTool05 1" }[id] ?? `${id} 0`;
  return `${SESSION} ${id} 0: ${verdict} ${turn}`;
}).sort();

describe("a session's hook events", () => {
  it("one record per call with the right end results from the original order, one by one", async () => {
    expect(await told(EVENTS.map((event) => observed([event])))).toEqual(EXPECTED);
  });

  it("any order, batching and repetition gives the same records (K4, K7)", async () => {
    const orders = fc.shuffledSubarray(
      [...EVENTS, ...EVENTS].map((_, at) => at),
      { minLength: EVENTS.length * 2 },
    );
    await fc.assert(
      fc.asyncProperty(orders, fc.integer({ min: 1, max: 12 }), async (order, size) => {
        const lots: Observation[][] = [];
        for (let from = 0; from < order.length; from += size) {
          const events = order
            .slice(from, from + size)
            .map((at) => EVENTS[at % EVENTS.length] as (typeof EVENTS)[number]);
          lots.push([...observed(events)]);
        }
        expect(await told(lots)).toEqual(EXPECTED);
      }),
      { numRuns: 60 },
    );
  });

  it("leaving out PreToolUse, as installed, gives the same records", async () => {
    const events = EVENTS.filter(({ body }) => !body.includes('"PreToolUse"'));
    expect(await told([observed(events)])).toEqual(EXPECTED);
  });
});
