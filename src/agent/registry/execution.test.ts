import { describe, expect, it } from "vitest";
import { z } from "zod";
import { looksLikePlace, placeCandidates } from "../../../examples/trip-chat/place-candidates.ts";
import type { ToolOutcome } from "../outcome/outcome.ts";
import { ToolError } from "../outcome/tool-error.ts";
import { policies } from "../policy/policy.ts";
import { createSanitizer } from "../sanitize/safe-text.ts";
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

describe("exceptions in tools", () => {
  it("a secret in an exception reaches neither the model nor the user", async () => {
    const failure = await failureOf(throwing(new Error("connect failed postgres://admin:s3cret@db:5432/x")));
    expect(failure.modelMessage).toBe('{"error":"Tool execution failed"}');
    expect(failure.userMessage).toBe("'t' could not be completed.");
    expect(JSON.stringify(failure)).not.toMatch(/s3cret|postgres/);
  });

  it("the message of a ToolError is forwarded without secrets, and to the user also without paths and stack", async () => {
    expect((await failureOf(throwing(new ToolError("City not found")))).modelMessage).toBe("Error: City not found");
    const text = "Cannot read /home/ann/.ssh/id_rsa with password=hunter2\n    at open (/srv/app/index.js:10:5)";
    const { modelMessage, detail } = await failureOf(throwing(new ToolError(text)));
    expect(modelMessage).toBe(
      "Error: Cannot read /home/ann/.ssh/id_rsa with password=[secret]\n    at open (/srv/app/index.js:10:5)",
    );
    expect(detail).toBe("Cannot read [path] with password=[secret]");
  });

  it("hidden paths appear in the model's text only if they are from the arguments, and never in the user's", async () => {
    const tool = throwing(new ToolError("No such file: /srv/data/a.txt, see /srv/log/b.txt"));
    const sanitizer = createSanitizer({ paths: "hide" });
    const outcome = await createToolRegistry([tool], { sanitizer, log: false }).call({
      id: "1",
      name: "t",
      arguments: { path: "/srv/data/a.txt" },
    });
    expect(outcome).toMatchObject({
      failure: {
        modelMessage: "Error: No such file: /srv/data/a.txt, see [path]",
        detail: "No such file: [path], see [path]",
      },
    });
  });

  it("a ToolError can be permanent and have a code and a user message", async () => {
    const error = new ToolError("gone", { permanent: true, code: "E_GONE", userMessage: "It has moved." });
    expect(await failureOf(throwing(error))).toMatchObject({
      retryable: false,
      permanent: true,
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
    ["a string", "a string"],
    ["undefined", undefined],
    ["null", null],
    ["an object that is no error", { message: "m" }],
    ["an object that cannot be printed", unprintable],
    ["a symbol", Symbol("s")],
    [
      "an object whose properties throw",
      new Proxy(
        {},
        {
          get: () => {
            throw new Error("trap");
          },
        },
      ),
    ],
  ])("converts any thrown value to an outcome: %s", async (_what, thrown) => {
    expect(await failureOf(throwing(thrown))).toMatchObject({
      kind: "execution",
      modelMessage: '{"error":"Tool execution failed"}',
    });
  });

  it("detects a rate limit in every tool, and treats it as permanent only for the original's policy", async () => {
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

  it("converts a result that is not JSON to safe text", async () => {
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

  it("truncates a large result in its middle, at character boundaries, with a note", async () => {
    const outcome = await outcomeOf(toolOf(() => "ä€😀".repeat(100), { maxResultBytes: 100 }));
    expect(outcome.notes).toEqual([{ kind: "truncated", bytes: 900, kept: 99 }]);
    expect(outcome.ok && outcome.modelText).toBe(
      `${"ä€😀".repeat(5)}ä€\n\n[Cut: 99 of 900 bytes are shown.]\n\n😀${"ä€😀".repeat(5)}`,
    );
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

  it("returns one outcome after three attempts with growing delays", async () => {
    const { tool } = flaky(2, () => new Error("x"), { idempotent: true, retry: { retries: 5, minMs: 100 } });
    const outcome = await outcomeOf(tool);
    expect(outcome).toMatchObject({ ok: true, attempts: 3 });
    expect(outcome.notes).toEqual([
      { kind: "retried", attempt: 2, delayMs: 75 },
      { kind: "retried", attempt: 3, delayMs: 150 },
    ]);
  });

  it("makes one attempt without retries", async () => {
    const { tool, runs } = flaky(9, () => new Error("x"), { idempotent: true, retry: { retries: 0 } });
    expect((await outcomeOf(tool)).attempts).toBe(1);
    expect(runs()).toBe(1);
  });

  it("does not retry programming errors unless configured, but retries network failures", async () => {
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

  it("runs a non-idempotent tool once, even after a timeout", async () => {
    let runs = 0;
    const tool = toolOf(() => {
      runs += 1;
      return never();
    });
    expect(await failureOf(tool)).toMatchObject({ kind: "timeout", retryable: false });
    expect(runs).toBe(1);
  });

  it("waits for a rate limit if the tool may be retried", async () => {
    const limited = () => Object.assign(new Error("x"), { status: 429 });
    const { tool } = flaky(2, limited, { idempotent: true, retry: { retries: 2 } });
    expect(await outcomeOf(tool)).toMatchObject({ ok: true, attempts: 3, durationMs: 450 });
  });

  it("retries a lost connection and does not forward its error text", async () => {
    const tool = throwing(new Error("MCP error -32000: Connection closed http://10.0.0.3:9000/sse"));
    expect(await failureOf(tool)).toMatchObject({
      kind: "execution",
      retryable: true,
      modelMessage: '{"error":"Tool execution failed"}',
    });
  });

  it("an abort ends the delay between attempts immediately", async () => {
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

describe("time limits", () => {
  it("a time limit ends a tool that hangs and ignores its signal, without leaving timers behind", async () => {
    const clock = createTestClock();
    const registry = createToolRegistry([toolOf(never, { timeoutMs: 500 })], { clock });
    const call = registry.call({ id: "1", name: "t", arguments: {} });
    await clock.advance(499);
    expect(clock.sleeping).toBe(1);
    await clock.advance(1);
    expect(await call).toMatchObject({ ok: false, durationMs: 500, failure: { kind: "timeout", executed: true } });
    expect(clock.sleeping).toBe(0);
  });

  it("a timeout message contains only the tool and the limit", async () => {
    const failure = await failureOf(toolOf(never, { timeoutMs: 500 }));
    expect(failure.modelMessage).toBe(
      "Error: Tool 't' gave no result within 500 ms and was stopped. It may still have taken effect: check before you call it again.",
    );
    expect(failure.userMessage).toBe("'t' took too long and was stopped.");
  });

  it("passes the reason to the tool's signal, and reports its rejection as a timeout", async () => {
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

  it("an abort ends a tool that ignores it", async () => {
    const stop = new AbortController();
    const call = createToolRegistry([toolOf(never)]).call(
      { id: "1", name: "t", arguments: {} },
      { signal: stop.signal },
    );
    setTimeout(() => stop.abort(), 5);
    expect(await call).toMatchObject({ ok: false, failure: { kind: "aborted", executed: true } });
  });

  it("nothing runs with a signal that is already aborted", async () => {
    const outcome = await outcomeOf(
      toolOf(() => 1),
      { signal: AbortSignal.abort() },
    );
    expect(outcome).toMatchObject({ ok: false, attempts: 0, failure: { kind: "aborted", executed: false } });
  });

  it("time limits apply to validation, fallbacks and approval too", async () => {
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

  it("a rejection after the end is not an unhandled rejection", async () => {
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
  it("opens after consecutive failures, allows one trial after its cooldown, and closes again", async () => {
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
    // Another tool is not affected.
    expect(await kind("other")).toBe("ok");
    await clock.advance(1000);
    expect([await kind(), await kind()]).toEqual(["execution", "circuit_open"]);
    isWell = true;
    await clock.advance(1000);
    expect([await kind(), await kind()]).toEqual(["ok", "ok"]);
  });
});

describe("fallbacks from the context", () => {
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

  it("takes a missing location from the trip, and the outcome contains the arguments actually used", async () => {
    const seen: unknown[] = [];
    const outcome = await outcomeOf(search(seen), { context: { destination: "Paris, France; London; +2 more" } });
    expect(seen).toEqual([undefined, "Paris, France"]);
    expect(outcome).toMatchObject({ ok: true, input: { location: "Paris, France" }, attempts: 2 });
    expect(outcome.notes).toEqual([{ kind: "backfilled", fields: ["location"] }]);
  });

  it("asks the user if there is no context", async () => {
    const seen: unknown[] = [];
    const failure = await failureOf(search(seen), { context: { reply: "find me food" } });
    expect(seen).toEqual([undefined]);
    expect(failure).toMatchObject({ kind: "missing_parameter", question: "Which place do you mean?" });
  });

  it("uses the fallbacks for a place that cannot be found", async () => {
    const seen: unknown[] = [];
    const registry = createToolRegistry([search(seen)]);
    const outcome = await registry.call(
      { id: "1", name: "t", arguments: { location: "Atlantis" } },
      { context: { stops: ["", "Paris, France"] } },
    );
    expect(seen).toEqual(["Atlantis", "Paris, France"]);
    expect(outcome).toMatchObject({ ok: true, input: { location: "Paris, France" } });
  });

  it("returns a failure instead of a question if no candidate succeeds", async () => {
    const failure = await failureOf(search([], []), { context: { destination: "Nowhere" } });
    expect(failure.kind).toBe("execution");
    expect(failure.question).toBeUndefined();
  });

  it("tries candidates that differ only in case or white space once", async () => {
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
    "%s may be a place",
    (reply) => {
      expect(looksLikePlace(reply)).toBe(true);
    },
  );
  it.each(["Where is it?", "find restaurants", "Please help", "x".repeat(81), "a b c d e f g", "!!!", "", "どこ？"])(
    "%j is not a place",
    (reply) => {
      expect(looksLikePlace(reply)).toBe(false);
    },
  );

  it("a fallback that throws or never ends does not change the outcome", async () => {
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

  it("returns the outcome of an earlier call without running it again", async () => {
    const { registry, runs } = counting();
    const ledger = memoryLedger();
    await registry.call(call, { ledger, scope: "run.1" });
    const again = await registry.call({ ...call, arguments: { b: 2, a: 1 } }, { ledger, scope: "run.1" });
    expect(again).toMatchObject({ ok: true, value: 1, replayed: true });
    expect(runs()).toBe(1);
  });

  it("rejects the same id with other arguments and calls without an id, and separates rounds", async () => {
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

  it("a ledger failure before the call prevents it, and one after it does not change the outcome", async () => {
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

  it("does not repeat an interrupted call, unless the tool is idempotent; then the outcome contains a note", async () => {
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
