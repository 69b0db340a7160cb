import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toCachedCall } from "./cached-call.ts";
import type { ChainCall } from "./chain-call.ts";
import { type KnownCall, relink } from "./relink.ts";

const KINDS = ["path", "target", "makes", "under", "end", "needs", "id", "url", "command"];
const resource = fc.tuple(fc.constantFrom(...KINDS), fc.constantFrom("a", "b", "c")).map((parts) => parts.join(":"));
const call = fc.record({
  tool: fc.constantFrom("Bash", "Edit"),
  status: fc.constantFrom("ok", "failed", "unknown"),
  turn: fc.constantFrom("t1", "t2", "t3"),
  arguments: fc.record({
    fingerprint: fc.constantFrom("f1", "f2", "f3", "f4"),
    keys: fc.dictionary(fc.constantFrom("x", "y"), fc.constantFrom("1", "2")),
    resources: fc.array(resource, { maxLength: 4 }),
  }),
  named: fc.array(resource, { maxLength: 2 }),
});
const thread = fc
  .array(call, { maxLength: 20 })
  .map((calls): readonly ChainCall[] => calls.map((one, at) => ({ ...one, id: String(at) }) as ChainCall));

const ALL = { atLeast: 100, complete: true, removed: new Set<string>() };

describe("a cached call", () => {
  it("gets the same links as the complete call, at any position of the thread", () => {
    fc.assert(
      fc.property(thread, fc.nat(20), (calls, cachedCalls) => {
        const known: readonly KnownCall[] = calls.map((one) => ({ call: one, links: undefined }));
        const whole = relink([], known, ALL).changes;
        const cached = known.map((one, at) => (at < cachedCalls ? { ...one, call: toCachedCall(one.call) } : one));
        expect(relink([], cached, ALL).changes).toEqual(whole);
      }),
      { numRuns: 500 },
    );
  });

  it("keeps only the main resource of a successful call", () => {
    const facts = { fingerprint: "f", keys: {}, resources: ["makes:a", "path:a", "under:b"] };
    const one: ChainCall = { id: "1", tool: "Edit", status: "ok", arguments: facts, named: ["path:c"] };
    expect(toCachedCall(one)).toEqual({
      id: "1",
      tool: "Edit",
      status: "ok",
      arguments: { ...facts, resources: ["path:a"] },
    });
    expect(toCachedCall({ ...one, status: "failed" })).toEqual({ ...one, status: "failed" });
  });
});
