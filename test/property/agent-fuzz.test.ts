import { describe, expect, it } from "vitest";
import type { LoopEvent, ToolRegistry } from "../../src/agent/index.ts";
import { type Defect, fuzzRun } from "../support/agent-fuzz.ts";
import { lintSecrets, makeSecrets, seededRandom } from "../support/secrets.ts";

const ROUNDS = 10_000;
/** A new seed for every run; TOOLMEND_FUZZ_SEED repeats an old one. */
const SEED = Number(process.env.TOOLMEND_FUZZ_SEED ?? Date.now() % 2 ** 31);

/** Runs until the given number of rounds is reached, or a run has a problem: any, or the expected one. */
async function fuzz(
  rounds: number,
  defect?: Defect,
  sign = /./,
): Promise<{ driven: number; problems: readonly string[]; lint: readonly string[] }> {
  const random = seededRandom(SEED);
  const planted = makeSecrets(random);
  const lint: string[] = [];
  let driven = 0;
  let visible = "";
  while (driven < rounds) {
    const run = await fuzzRun(random, defect, planted);
    if (run.problems.some((problem) => sign.test(problem))) return { driven, problems: run.problems, lint };
    driven += Math.max(1, run.rounds);
    visible += `${run.visible}\n`;
    // The linter starts slowly and then reads quickly, so it runs once over all texts.
    if (visible.length > 2_000_000 || driven >= rounds) {
      lint.push(...(await lintSecrets(visible)));
      visible = "";
    }
  }
  return { driven, problems: [], lint };
}

describe(`a fuzzed model (TOOLMEND_FUZZ_SEED=${SEED})`, () => {
  it("a fuzzed model of 10,000 rounds never makes the loop throw, exceed its limits, leave a call unanswered or show a secret", {
    timeout: 120_000,
  }, async () => {
    console.log(`fuzzed model: TOOLMEND_FUZZ_SEED=${SEED}`);
    const { driven, problems, lint } = await fuzz(ROUNDS);
    expect(problems).toEqual([]);
    expect(lint).toEqual([]);
    expect(driven).toBeGreaterThanOrEqual(ROUNDS);
  });
});

const rejecting = (registry: ToolRegistry): ToolRegistry =>
  new Proxy(registry, {
    get(target, key) {
      if (key === "call")
        return (call: { name: string }, options: object) =>
          call.name === "odd" ? Promise.reject(new Error("planted")) : target.call(call as never, options);
      const value = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });

async function* without(kind: LoopEvent["kind"], events: AsyncIterable<LoopEvent>): AsyncGenerator<LoopEvent> {
  for await (const event of events) if (event.kind !== kind) yield event;
}

describe("single invariants of a fuzzed run", () => {
  const problemsOf = async (sign: RegExp): Promise<readonly string[]> => (await fuzz(500, undefined, sign)).problems;

  it("a page shows the same live and after a reload (H07)", { timeout: 60_000 }, async () => {
    expect(await problemsOf(/^view: /)).toEqual([]);
  });

  it("no byte for a page or a model contains a secret, a stack or a cause (G02)", { timeout: 60_000 }, async () => {
    expect(await problemsOf(/^leaks: /)).toEqual([]);
  });
});

describe("the fuzz test detects a planted defect", () => {
  it.each<readonly [string, RegExp, Defect]>([
    ["a registry that throws", /^throws: Error: planted/, { registry: rejecting }],
    ["a loop that ends without an end event", /^ends without done/, { events: (events) => without("done", events) }],
    [
      "one model request too many",
      /^caps: \d+ questions/,
      { policy: { maxModelCalls: 40, maxRounds: 40, maxFailedRounds: 40 } },
    ],
    ["too many failed rounds", /^caps: 4 failed rounds/, { policy: { maxFailedRounds: 4 } }],
    [
      "too many rounds",
      /^caps: \d+ rounds with a success/,
      { policy: { maxRounds: 60, maxModelCalls: 60, maxFailedRounds: 60 } },
    ],
    ["too many concurrent calls", /^caps: \d+ calls at once/, { policy: { concurrency: 12 } }],
    [
      "a result that never reaches the model",
      /^unanswered: /,
      { request: (request) => ({ ...request, messages: request.messages.filter(({ role }) => role !== "tool") }) },
    ],
    [
      "a call that never ends on the page",
      /^unanswered: a call without an end/,
      { events: (events) => without("tool_failed", events) },
    ],
    ["rows that are not stored", /^view: /, { events: (events) => without("message", events) }],
    [
      "a sanitizer that lets everything through",
      /^leaks: /,
      { sanitizer: { forModel: (text) => text, forUser: (text) => text, userText: (kind) => kind } },
    ],
  ])("a planted defect is detected: %s", { timeout: 60_000 }, async (_, sign, defect) => {
    const { problems } = await fuzz(3000, defect, sign);
    expect(problems).not.toEqual([]);
  });

  it("a planted defect is detected: a sanitizer that lets a secret through", async () => {
    const random = seededRandom(SEED);
    let found: readonly string[] = [];
    for (let runs = 0; found.length === 0 && runs < 200; runs += 1) {
      const { visible } = await fuzzRun(random, {
        sanitizer: { forModel: (text) => text, forUser: (text) => text, userText: (kind) => kind },
      });
      found = await lintSecrets(visible);
    }
    expect(found.length).toBeGreaterThan(0);
  });
});
