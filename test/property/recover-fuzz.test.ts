import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collect } from "../../src/core/recover/extract.ts";
import {
  createLeakScanner,
  extractToolCalls,
  type LeakEvent,
  type RecoverOptions,
} from "../../src/core/recover/index.ts";
import { LEAK_TOOLS } from "../fixtures/leaks/leak.ts";
import { anyOptions, LEAK_TEXTS, nearCall } from "./recover-fuzz-texts.ts";

/** A few seconds by default; `TOOLMEND_FUZZ_RUNS=200000` for an overnight run. */
const RUNS = Number(process.env.TOOLMEND_FUZZ_RUNS ?? 3000);
const SEED = Number(process.env.TOOLMEND_FUZZ_SEED ?? 4);
/** Far above the time for any of these short texts, far below that of backtracking. */
const MAX_DURATION_MS = 3000;

function withIds(options: RecoverOptions): RecoverOptions {
  let id = 0;
  return { ...options, newId: () => `id-${id++}` };
}

function streamed(text: string, cuts: readonly number[], options: RecoverOptions): readonly LeakEvent[] {
  const scanner = createLeakScanner(withIds(options));
  const events: LeakEvent[] = [];
  let from = 0;
  for (const cut of [...cuts, text.length]) {
    events.push(...scanner.push(text.slice(from, cut)));
    from = cut;
  }
  events.push(...scanner.end());
  expect(scanner.held).toBe(0);
  return events;
}

/** Text and spans in the order of emission must equal the input: nothing lost, duplicated or retracted. */
function expectInOrder(text: string, events: readonly LeakEvent[]): void {
  let at = 0;
  for (const event of events) {
    if (event.kind === "text") {
      expect(event.text).toBe(text.slice(at, at + event.text.length));
      at += event.text.length;
    } else if (event.kind === "match" && event.match.kind === "call") {
      expect(event.match.span.start).toBe(at);
      at = event.match.span.end;
    }
  }
  expect(at).toBe(text.length);
}

const cutting = fc.oneof(
  fc.array(fc.nat(999), { maxLength: 10 }).map((shares) => ({ shares, every: 0 })),
  fc.integer({ min: 1, max: 9 }).map((every) => ({ shares: [], every })),
);

function cutsOf(
  text: string,
  { shares, every }: { readonly shares: readonly number[]; readonly every: number },
): readonly number[] {
  if (every > 0) return Array.from({ length: Math.ceil(text.length / every) - 1 }, (_, i) => (i + 1) * every);
  return shares.map((share) => Math.floor((share / 1000) * (text.length + 1))).sort((a, b) => a - b);
}

describe("extraction from any model text", () => {
  it(
    "extraction gives the same result streamed and whole, loses nothing, and terminates",
    () => {
      fc.assert(
        fc.property(nearCall, cutting, anyOptions, (text, how, options) => {
          const start = performance.now();
          const whole = extractToolCalls(text, withIds(options));
          const events = streamed(text, cutsOf(text, how), options);
          expect(collect(events)).toEqual(whole);
          expectInOrder(text, events);
          if (whole.toolCalls.length === 0) expect(whole.content).toBe(text);
          expect(performance.now() - start).toBeLessThan(MAX_DURATION_MS);
        }),
        { numRuns: RUNS, seed: SEED },
      );
    },
    60_000 + RUNS * 20,
  );

  it("extraction leaves no text that a second pass would extract as a call", () => {
    const prose = fc.constantFrom("", "Well.\n\n", "One moment, please.\n\n");
    fc.assert(
      fc.property(fc.constantFrom(...LEAK_TEXTS), prose, prose, (leak, before, after) => {
        const first = extractToolCalls(`${before}${leak}\n\n${after}`, { tools: LEAK_TOOLS });
        const twice = extractToolCalls(first.content, { tools: LEAK_TOOLS });
        expect(twice.toolCalls).toEqual([]);
        expect(twice.content).toBe(first.content);
      }),
      { numRuns: Math.min(RUNS, 2000), seed: SEED },
    );
  });
});
