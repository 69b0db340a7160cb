import { describe, expect, it } from "vitest";
import { z } from "zod";
import { looksLikePlace, placeCandidates } from "../../../examples/trip-chat/place-candidates.ts";
import type { ToolOutcome } from "../outcome/outcome.ts";
import { ToolError } from "../outcome/tool-error.ts";
import { policies } from "../policy/policy.ts";
import { createTestClock } from "../testing/index.ts";
import type { Tool, ToolBehavior } from "./define-tool.ts";
import { defineTool } from "./define-tool.ts";
import { memoryLedger } from "./hooks.ts";
import type { CallOptions, RegistryOptions } from "./registry.ts";
import { createToolRegistry } from "./registry.ts";

type Behaviour = Omit<ToolBehavior<unknown, unknown, unknown>, "run">;
const toolOf = (run: Tool["run"], behaviour: Behaviour = {}): Tool =>
  defineTool({ name: "t", input: z.looseObject({}), run, ...behaviour });
const throwing = (error: unknown, behaviour: Behaviour = {}): Tool =>
  toolOf(() => {
    throw error;
  }, behaviour);

async function outcomeOf(tool: Tool, options: CallOptions = {}, registry: RegistryOptions = {}): Promise<ToolOutcome> {
  const clock = createTestClock();
  return clock.run(
    createToolRegistry([tool], { clock, ...registry }).call({ id: "1", name: "t", arguments: {} }, options),
  );
}
async function failureOf(tool: Tool, options: CallOptions = {}, registry: RegistryOptions = {}) {
  const outcome = await outcomeOf(tool, options, registry);
  if (outcome.ok) throw new Error("The call succeeded.");
  return outcome.failure;
}
const never = (): Promise<never> => new Promise(() => undefined);

describe("what a tool throws", () => {
  it("C01 P3 V7 a secret in an exception reaches neither model nor user", async () => {
    const failure = await failureOf(throwing(new Error("connect failed postgres://admin:s3cret@db:5432/x")));
    expect(failure.modelMessage).toBe('{"error":"Tool execution failed"}');
    expect(failure.userMessage).toBe("'t' could not be completed.");
    expect(JSON.stringify(failure)).not.toMatch(/s3cret|postgres/);
  });

  it("C02 the text of a ToolError passes, its secrets, paths and stack do not", async () => {
    expect((await failureOf(throwing(new ToolError("City not found")))).modelMessage).toBe("Error: City not found");
    const text = "Cannot read /home/ann/.ssh/id_rsa with password=hunter2\n    at open (/srv/app/index.js:10:5)";
    const { modelMessage, detail } = await failureOf(throwing(new ToolError(text)));
    expect(modelMessage).toBe("Error: Cannot read [path] with password=[secret]");
    expect(detail).toBe("Cannot read [path] with password=[secret]");
  });

  it("a path the model wrote itself may be named to it, not to the user", async () => {
    const tool = throwing(new ToolError("No such file: /srv/data/a.txt"));
    const outcome = await createToolRegistry([tool]).call({
      id: "1",
      name: "t",
      arguments: { path: "/srv/data/a.txt" },
    });
    expect(outcome).toMatchObject({
      failure: { modelMessage: "Error: No such file: /srv/data/a.txt", detail: "No such file: [path]" },
    });
  });

  it("C02 a ToolError may be permanent, have a code and a sentence for the user", async () => {
    const error = new ToolError("gone", { retryable: false, code: "E_GONE", userMessage: "It has moved." });
    expect(await failureOf(throwing(error))).toMatchObject({
      retryable: false,
      code: "E_GONE",
      userMessage: "It has moved.",
    });
  });

  const unprintable = {
    toString: () => {
      throw new Error("no");
    },
  };
  it.each([
    ["a string"],
    [undefined],
    [null],
    [{ message: "m" }],
    [unprintable],
    [Symbol("s")],
    [
      new Proxy(
        {},
        {
          get: () => {
            throw new Error("trap");
          },
        },
      ),
    ],
  ])("C03 whatever is thrown becomes an outcome", async (thrown) => {
    expect(await failureOf(throwing(thrown))).toMatchObject({
      kind: "execution",
      modelMessage: '{"error":"Tool execution failed"}',
    });
  });

  it("C05 V10 a rate limit is recognised in every tool alike, and is permanent only for the original's policy", async () => {
    const limited = [
      throwing(Object.assign(new Error("x"), { status: 429 })),
      throwing(new Error("HTTP 429 Too Many Requests")),
      toolOf(() => ({ error: "Places API: 429" })),
      toolOf(() => ({ error: "Rate limit reached" })),
    ];
    for (const tool of limited) {
      expect(await failureOf(tool)).toMatchObject({ kind: "execution", code: "rate_limited", retryable: true });
      expect(await failureOf(tool, { reading: policies.voyage.reading })).toMatchObject({ retryable: false });
    }
    const others = [throwing(Object.assign(new Error("x"), { status: 503 })), throwing(new TypeError("fetch failed"))];
    for (const tool of others)
      expect((await failureOf(tool, { reading: policies.voyage.reading })).retryable).toBe(true);
  });

  it("C12 a result that is no JSON becomes safe text", async () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    const hostile = {
      toJSON: () => {
        throw new Error("password=hunter2");
      },
    };
    const texts: string[] = [];
    for (const value of [10n, circle, () => 1, undefined, Symbol("s"), hostile, new Map([[1, 2]])]) {
      const outcome = await outcomeOf(toolOf(() => value));
      if (!outcome.ok) throw new Error("failed");
      texts.push(outcome.modelText);
    }
    expect(texts).toEqual([
      "10",
      '{"self":"[circular]"}',
      "null",
      "null",
      "null",
      '{"error":"Tool returned non-serializable data"}',
      "{}",
    ]);
  });

  it("a large result is cut at whole characters, and the cut is said", async () => {
    const outcome = await outcomeOf(toolOf(() => "ä€😀".repeat(100), { maxResultBytes: 100 }));
    expect(outcome.notes).toEqual([{ kind: "truncated", bytes: 900, kept: 99 }]);
    expect(outcome.ok && outcome.modelText).toBe(`${"ä€😀".repeat(11)}\n\n[Cut: 99 of 900 bytes are shown.]`);
  });
});

describe("retries", () => {
  const flaky = (failures: number, error: () => unknown, behaviour: Behaviour) => {
    let runs = 0;
    const tool = toolOf(() => {
      runs += 1;
      if (runs <= failures) throw error();
      return "ok";
    }, behaviour);
    return { tool, runs: () => runs };
  };

  it("D01 fails twice, then succeeds: one outcome, three attempts, growing pauses", async () => {
    const { tool } = flaky(2, () => new Error("x"), { idempotent: true, retry: { retries: 5, minMs: 100 } });
    const outcome = await outcomeOf(tool);
    expect(outcome).toMatchObject({ ok: true, attempts: 3 });
    expect(outcome.notes).toEqual([
      { kind: "retried", attempt: 2, delayMs: 75 },
      { kind: "retried", attempt: 3, delayMs: 150 },
    ]);
  });

  it("D02 no retries, one attempt", async () => {
    const { tool, runs } = flaky(9, () => new Error("x"), { idempotent: true, retry: { retries: 0 } });
    expect((await outcomeOf(tool)).attempts).toBe(1);
    expect(runs()).toBe(1);
  });

  it("D03 mistakes in the program are not retried, unless the tool says which are; a lost network is", async () => {
    const attempts = async (error: unknown, when?: (error: unknown) => boolean): Promise<number> => {
      const retry = { retries: 2, ...(when !== undefined && { when }) };
      const { tool, runs } = flaky(9, () => error, { idempotent: true, retry });
      await outcomeOf(tool);
      return runs();
    };
    expect(await attempts(new TypeError("x is not a function"))).toBe(1);
    expect(await attempts(new TypeError("fetch failed"))).toBe(3);
    expect(await attempts(new Error("x"), () => false)).toBe(1);
    expect(await attempts(new TypeError("x"), () => true)).toBe(3);
    expect(await attempts(new ToolError("x", { retryable: false }))).toBe(1);
  });

  it("D04 a tool that is not idempotent runs once, also when it times out", async () => {
    let runs = 0;
    const tool = toolOf(() => {
      runs += 1;
      return never();
    });
    expect(await failureOf(tool)).toMatchObject({ kind: "timeout", retryable: false });
    expect(runs).toBe(1);
  });

  it("V10 a rate limit is waited out where the tool may be retried", async () => {
    const limited = () => Object.assign(new Error("x"), { status: 429 });
    const { tool } = flaky(2, limited, { idempotent: true, retry: { retries: 2 } });
    expect(await outcomeOf(tool)).toMatchObject({ ok: true, attempts: 3, durationMs: 450 });
  });

  it("I03 a connection that is gone is a failure worth another try, and the text of its error stays here", async () => {
    const tool = throwing(new Error("MCP error -32000: Connection closed http://10.0.0.3:9000/sse"));
    expect(await failureOf(tool)).toMatchObject({
      kind: "execution",
      retryable: true,
      modelMessage: '{"error":"Tool execution failed"}',
    });
  });

  it("D06 an abort ends the pause between attempts at once", async () => {
    const clock = createTestClock();
    const { tool } = flaky(9, () => new Error("x"), { idempotent: true, retry: { retries: 3, minMs: 60_000 } });
    const stop = new AbortController();
    const call = createToolRegistry([tool], { clock }).call(
      { id: "1", name: "t", arguments: {} },
      { signal: stop.signal },
    );
    await clock.advance(1);
    stop.abort();
    expect(await call).toMatchObject({ ok: false, attempts: 1, failure: { kind: "aborted" } });
    expect(clock.sleeping).toBe(0);
  });
});

describe("time", () => {
  it("V11 a tool that hangs and ignores its signal ends at its limit, and nothing is left behind", async () => {
    const clock = createTestClock();
    const registry = createToolRegistry([toolOf(never, { timeoutMs: 500 })], { clock });
    const call = registry.call({ id: "1", name: "t", arguments: {} });
    await clock.advance(499);
    expect(clock.sleeping).toBe(1);
    await clock.advance(1);
    expect(await call).toMatchObject({ ok: false, durationMs: 500, failure: { kind: "timeout", executed: true } });
    expect(clock.sleeping).toBe(0);
  });

  it("P4 the text of a timeout names the tool and the limit, nothing else", async () => {
    const failure = await failureOf(toolOf(never, { timeoutMs: 500 }));
    expect(failure.modelMessage).toBe(
      "Error: Tool 't' gave no result within 500 ms and was stopped. It may still have taken effect: check before you call it again.",
    );
    expect(failure.userMessage).toBe("'t' took too long and was stopped.");
  });

  it("D07 the tool hears why, and its rejection for that reason is a timeout, not an execution failure", async () => {
    let reason: unknown;
    const tool = toolOf(
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            reason = signal.reason;
            reject(signal.reason);
          });
        }),
      { timeoutMs: 100 },
    );
    expect((await failureOf(tool)).kind).toBe("timeout");
    expect(reason).toMatchObject({ name: "TimeoutError" });
  });

  it("D05 an abort wins against a tool that ignores it", async () => {
    const stop = new AbortController();
    const call = createToolRegistry([toolOf(never)]).call(
      { id: "1", name: "t", arguments: {} },
      { signal: stop.signal },
    );
    setTimeout(() => stop.abort(), 5);
    expect(await call).toMatchObject({ ok: false, failure: { kind: "aborted", executed: true } });
  });

  it("D10 with a signal that is already aborted nothing runs", async () => {
    const outcome = await outcomeOf(
      toolOf(() => 1),
      { signal: AbortSignal.abort() },
    );
    expect(outcome).toMatchObject({ ok: false, attempts: 0, failure: { kind: "aborted", executed: false } });
  });

  it("a check, a fallback or a guard that hangs is given up like a tool that hangs", async () => {
    const input = { "~standard": { version: 1, vendor: "x", validate: never } } as const;
    const checking = defineTool({ name: "t", input, jsonSchema: {}, run: () => 1 });
    expect(await failureOf(checking)).toMatchObject({ kind: "timeout", executed: false });
    const helping = toolOf(() => ({ error: "no" }), {
      async *fallback() {
        await never();
        yield {};
      },
    });
    expect((await failureOf(helping)).modelMessage).toBe("Error: no");
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 5);
    const registry = createToolRegistry([toolOf(() => 1)], { hooks: { approve: never } });
    const outcome = await registry.call({ id: "1", name: "t", arguments: {} }, { signal: stop.signal });
    expect(outcome).toMatchObject({ ok: false, failure: { kind: "aborted", executed: false } });
  });

  it("a rejection after the end is nobody's unhandled rejection", async () => {
    const tool = toolOf(
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        throw new Error("late");
      },
      { timeoutMs: 1 },
    );
    expect((await failureOf(tool)).kind).toBe("timeout");
    await new Promise((resolve) => setTimeout(resolve, 40));
  });
});

describe("the circuit breaker", () => {
  it("opens after failures in a row, lets one call try after its pause, and closes again", async () => {
    const clock = createTestClock();
    let isWell = false;
    const tool = toolOf(() => {
      if (!isWell) throw new Error("x");
      return 1;
    });
    const other = defineTool({ name: "other", input: z.object({}), run: () => 1 });
    const registry = createToolRegistry([tool, other], { clock, breaker: { failures: 2, cooldownMs: 1000 } });
    const kind = async (name = "t"): Promise<string> => {
      const outcome = await registry.call({ id: "1", name, arguments: {} });
      return outcome.ok ? "ok" : outcome.failure.kind;
    };
    expect([await kind(), await kind(), await kind()]).toEqual(["execution", "execution", "circuit_open"]);
    // D11 another tool is none of its business.
    expect(await kind("other")).toBe("ok");
    await clock.advance(1000);
    expect([await kind(), await kind()]).toEqual(["execution", "circuit_open"]);
    isWell = true;
    await clock.advance(1000);
    expect([await kind(), await kind()]).toEqual(["ok", "ok"]);
  });
});

describe("help from the context", () => {
  const search = (seen: unknown[], known: readonly string[] = ["paris, france"]): Tool =>
    defineTool({
      name: "t",
      input: z.object({ location: z.string().optional() }),
      run: ({ location }) => {
        seen.push(location);
        if (location === undefined) return { error: "location is required" };
        if (!known.includes(location.toLowerCase())) return { error: `Could not geocode location: ${location}` };
        return { places: [location] };
      },
      fallback: (_, { context }) =>
        placeCandidates(context as Parameters<typeof placeCandidates>[0]).map((location) => ({ location })),
      question: "Which place do you mean?",
    });

  it("E01 E05 a missing location is taken from the trip, and the outcome shows what was really used", async () => {
    const seen: unknown[] = [];
    const outcome = await outcomeOf(search(seen), { context: { destination: "Paris, France; London; +2 more" } });
    expect(seen).toEqual([undefined, "Paris, France"]);
    expect(outcome).toMatchObject({ ok: true, input: { location: "Paris, France" }, attempts: 2 });
    expect(outcome.notes).toEqual([{ kind: "backfilled", fields: ["location"] }]);
  });

  it("E02 without context the user is asked", async () => {
    const seen: unknown[] = [];
    const failure = await failureOf(search(seen), { context: { reply: "find me food" } });
    expect(seen).toEqual([undefined]);
    expect(failure).toMatchObject({ kind: "missing_parameter", question: "Which place do you mean?" });
  });

  it("a place that cannot be found takes the same way before it is the end", async () => {
    const seen: unknown[] = [];
    const registry = createToolRegistry([search(seen)]);
    const outcome = await registry.call(
      { id: "1", name: "t", arguments: { location: "Atlantis" } },
      { context: { stops: ["", "Paris, France"] } },
    );
    expect(seen).toEqual(["Atlantis", "Paris, France"]);
    expect(outcome).toMatchObject({ ok: true, input: { location: "Paris, France" } });
  });

  it("when the help did not help either, it is a failure and no longer a question", async () => {
    const failure = await failureOf(search([], []), { context: { destination: "Nowhere" } });
    expect(failure.kind).toBe("execution");
    expect(failure.question).toBeUndefined();
  });

  it("E04 candidates that differ in case or blanks alone are tried once", async () => {
    const seen: unknown[] = [];
    const tool = defineTool({
      name: "t",
      input: z.looseObject({}),
      run: ({ location }) => {
        seen.push(location);
        return { error: "no" };
      },
      fallback: () => [{ location: "Paris" }, { location: "paris " }, { location: " PARIS" }, { location: "Rome" }],
    });
    await outcomeOf(tool);
    expect(seen).toEqual([undefined, "Paris", "Rome"]);
  });

  it.each(["Paris", "paris, france", "São Paulo", "東京", "Москва", "القاهرة", "New York City"])(
    "E03 V17 %s may be a place",
    (reply) => {
      expect(looksLikePlace(reply)).toBe(true);
    },
  );
  it.each(["Where is it?", "find restaurants", "Please help", "x".repeat(81), "a b c d e f g", "!!!", "", "どこ？"])(
    "E03 %j is none",
    (reply) => {
      expect(looksLikePlace(reply)).toBe(false);
    },
  );

  it("a fallback that throws or never ends changes nothing", async () => {
    const angry = toolOf(() => ({ error: "no" }), {
      fallback: () => {
        throw new Error("x");
      },
    });
    expect((await failureOf(angry)).modelMessage).toBe("Error: no");
    let runs = 0;
    const endless = toolOf(
      () => {
        runs += 1;
        return { error: "no" };
      },
      {
        *fallback() {
          for (let n = 0; ; n += 1) yield { n };
        },
      },
    );
    expect((await failureOf(endless)).kind).toBe("execution");
    expect(runs).toBe(11);
  });
});

describe("the ledger", () => {
  const counting = (behaviour: Behaviour = {}) => {
    let runs = 0;
    const tool = toolOf(() => {
      runs += 1;
      return runs;
    }, behaviour);
    return { registry: createToolRegistry([tool]), runs: () => runs };
  };
  const call = { id: "c1", name: "t", arguments: { a: 1, b: 2 } };

  it("J02 a call made before is answered from the ledger and does not run again", async () => {
    const { registry, runs } = counting();
    const ledger = memoryLedger();
    await registry.call(call, { ledger, scope: "run.1" });
    const again = await registry.call({ ...call, arguments: { b: 2, a: 1 } }, { ledger, scope: "run.1" });
    expect(again).toMatchObject({ ok: true, value: 1, replayed: true });
    expect(runs()).toBe(1);
  });

  it("J02 the same id with other arguments is a conflict, in another round it is another call, without an id none", async () => {
    const { registry, runs } = counting();
    const ledger = memoryLedger();
    await registry.call(call, { ledger, scope: "run.1" });
    expect(await registry.call({ ...call, arguments: {} }, { ledger, scope: "run.1" })).toMatchObject({
      failure: { kind: "denied" },
    });
    expect(await registry.call({ ...call, id: "" }, { ledger })).toMatchObject({ failure: { kind: "denied" } });
    expect(runs()).toBe(1);
    expect((await registry.call(call, { ledger, scope: "run.2" })).ok).toBe(true);
  });

  it("a ledger that fails before the call keeps it from being made, one that fails after it does not", async () => {
    const broken = (): never => {
      throw new Error("disk");
    };
    const { registry, runs } = counting();
    expect((await registry.call(call, { ledger: { get: broken, set: broken } })).ok).toBe(false);
    expect(runs()).toBe(0);
    let writes = 0;
    const set = (): void => {
      writes += 1;
      if (writes > 1) broken();
    };
    expect((await registry.call(call, { ledger: { get: () => undefined, set } })).ok).toBe(true);
  });

  it("J03 a call that was begun and never ended: not run again, or run again and said so when that does no harm", async () => {
    const begun = memoryLedger();
    begun.set("/c1", { fingerprint: 't {"a":1,"b":2}' });
    const once = counting();
    expect(await once.registry.call(call, { ledger: begun })).toMatchObject({
      failure: { kind: "execution", code: "interrupted", executed: true, retryable: false },
    });
    expect(once.runs()).toBe(0);
    const twice = counting({ idempotent: true });
    expect(await twice.registry.call(call, { ledger: begun })).toMatchObject({
      ok: true,
      notes: [{ kind: "possible-duplicate" }],
    });
  });
});
