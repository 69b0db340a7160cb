import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CallEffect, LoopSignal } from "../loop/index.ts";
import type { CallLinks } from "../model/call-links.ts";
import type { ChainCall } from "./chain-call.ts";
import { relink } from "./relink.ts";

interface Made {
  readonly tool: string;
  readonly result?: string;
  readonly effect?: CallEffect;
  readonly failed?: boolean;
  readonly prompt?: string;
}

/** The calls of each turn, as a store gives them. */
function chain(turns: readonly (readonly Made[])[]): readonly ChainCall[] {
  return turns.flatMap((turn, at) =>
    turn.map(({ tool, result = "same", effect = "reads", failed = false, prompt = "1" }, index) => ({
      id: `${at}.${index}`,
      tool,
      status: failed ? "failed" : "ok",
      turn: String(at),
      prompt,
      effect,
      pair: `${tool} ${result}`,
    })),
  );
}

function linksOf(calls: readonly ChainCall[]): readonly CallLinks[] {
  const known = calls.map((call) => ({ call, links: undefined }));
  const { changes } = relink([], known, { atLeast: calls.length, complete: true, removed: new Set() });
  return changes.map(({ after }) => after);
}

const runs = (calls: readonly ChainCall[]): readonly number[] => linksOf(calls).map(({ loop }) => loop?.run ?? 0);
const times = <T>(count: number, turn: T): readonly T[] => Array.from({ length: count }, () => turn);

describe("the run of a recorded call", () => {
  it("a run counts repeats, names the first of them, and marks each level once", () => {
    const links = linksOf(chain(times(8, [{ tool: "read" }])));
    expect(links.map(({ loop }) => loop?.run)).toEqual([undefined, 1, 2, 3, 4, 5, 6, 7]);
    expect(links.map(({ loop }) => loop?.level ?? null)).toEqual([null, null, null, 3, null, null, 6, null]);
    expect(links[6]?.loop).toEqual({
      of: "1.0",
      run: 6,
      waits: 0,
      kind: "repeat",
      period: 1,
      tools: ["read"],
      level: 6,
    });
  });

  it("a run ends with a new call, a new result or a message of a person, and the call that ended it is marked", () => {
    const loop = times(4, [{ tool: "read" }]);
    const ended = (made: Made): string | undefined => linksOf(chain([...loop, [made]])).at(-1)?.loop_end?.by;
    expect(ended({ tool: "list" })).toBe("new_call");
    expect(ended({ tool: "read", prompt: "2" })).toBe("human");
    expect(linksOf(chain(loop.slice(0, 3).concat([[{ tool: "list" }]]))).at(-1)?.loop_end).toBeUndefined();
  });

  it("calls without a result to compare neither count in a run nor end it", () => {
    const [first, second, third, fourth] = chain(times(4, [{ tool: "read" }])) as [
      ChainCall,
      ChainCall,
      ChainCall,
      ChainCall,
    ];
    const denied: ChainCall = { id: "denied", tool: "read", status: "failed", phase: "gate", turn: "x" };
    expect(runs([first, second, denied, third, fourth])).toEqual([0, 1, 0, 2, 3]);
  });

  it("the calls of a turn that turns out to bring something new are removed from the run", () => {
    const both = [{ tool: "read" }, { tool: "list" }];
    expect(runs(chain([[{ tool: "read" }], [{ tool: "read" }], both]))).toEqual([0, 1, 0, 0]);
  });
});

const EFFECTS: Readonly<Record<string, CallEffect>> = { a: "reads", b: "changes", c: "waits", d: "changes" };
const made = fc
  .record({ tool: fc.constantFrom("a", "b", "c", "d"), result: fc.constantFrom("1", "2") })
  .map(({ tool, result }) => ({ tool, result, effect: EFFECTS[tool] ?? "reads", failed: result === "2" }));
const session = fc.array(
  fc.record({
    turn: fc.array(made, { minLength: 1, maxLength: 3 }),
    human: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  }),
  { maxLength: 40 },
);

it("the recorded run equals the one that the signal counts over the whole conversation, after every turn", () => {
  fc.assert(
    fc.property(session, (turns) => {
      const signal = new LoopSignal<number>();
      let prompt = 1;
      const expected: number[] = [];
      const withPrompts = turns.map(({ turn, human }, at) => {
        if (human) {
          prompt += 1;
          signal.human();
        }
        signal.turn(
          turn.map(({ tool, result, effect, failed }) => ({
            ...{ tool, argumentsDigest: "", resultDigest: result, effect, failed },
          })),
          at,
        );
        expected.push(signal.run);
        return turn.map((one) => ({ ...one, prompt: String(prompt) }));
      });
      const calls = chain(withPrompts);
      const all = runs(calls);
      const last = new Map(calls.map(({ turn }, at) => [Number(turn), all[at]]));
      expect([...last.values()]).toEqual(expected);
    }),
  );
});

it("links are the same when calls arrive one by one", () => {
  fc.assert(
    fc.property(session, (turns) => {
      const calls = chain(turns.map(({ turn }) => turn));
      const links = new Map<string, CallLinks>();
      for (const [at, call] of calls.entries()) {
        const before = calls.slice(Math.max(0, at - 64), at).map((one) => ({ call: one, links: links.get(one.id) }));
        const from = [{ call, links: undefined }];
        const { changes } = relink(before, from, { atLeast: 1, complete: true, removed: new Set() });
        for (const { id, after } of changes) links.set(id, after);
      }
      expect(calls.map(({ id }) => links.get(id)?.loop)).toEqual(linksOf(calls).map(({ loop }) => loop));
    }),
  );
});
