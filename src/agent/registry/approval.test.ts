import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ModelCall } from "../model/message.ts";
import { defineTool } from "./define-tool.ts";
import { memoryLedger } from "./hooks.ts";
import { createToolRegistry } from "./registry.ts";

const pay = defineTool({
  name: "pay",
  input: z.object({ to: z.string(), amount: z.number() }),
  run: ({ to }) => {
    if (to === "nobody") throw new Error("x");
    return `paid ${to}`;
  },
  fallback: () => [{ to: "bob" }],
});
const payCall = (args: unknown): ModelCall => ({ id: "1", name: "pay", arguments: args });

describe("the approval hook", () => {
  it("receives arguments that were parsed and validated", async () => {
    const asked: unknown[] = [];
    const registry = createToolRegistry([pay], {
      log: false,
      hooks: {
        approve: (call) => {
          asked.push(call.arguments);
          return true;
        },
      },
    });
    await registry.call(payCall('{"to": "ann", "amount": 5,}'));
    expect(asked).toEqual([{ to: "ann", amount: 5 }]);
  });

  it("the approval hook is not asked about a call with invalid arguments", async () => {
    let asked = 0;
    const registry = createToolRegistry([{ ...pay, fallback: () => [] }], {
      log: false,
      hooks: {
        approve: () => {
          asked += 1;
          return true;
        },
      },
    });
    const outcome = await registry.call(payCall({ to: "ann" }));
    expect(outcome.ok ? "ok" : outcome.failure.kind).toBe("missing_parameter");
    expect(asked).toBe(0);
  });

  it("the approval hook is asked again about the arguments of a fallback, and its refusal ends the call", async () => {
    const asked: unknown[] = [];
    const registry = createToolRegistry([pay], {
      log: false,
      hooks: {
        approve: (call) => {
          asked.push(call.arguments);
          return asked.length === 1;
        },
      },
    });
    const outcome = await registry.call(payCall({ to: "nobody", amount: 1 }));
    expect(asked).toEqual([
      { to: "nobody", amount: 1 },
      { to: "bob", amount: 1 },
    ]);
    expect(outcome.ok ? "ok" : outcome.failure.kind).toBe("denied");
  });

  it("leaves no trace of a start in the ledger while it decides", async () => {
    const ledger = memoryLedger();
    const registry = createToolRegistry([pay], { log: false, hooks: { approve: () => false } });
    await registry.call(payCall({ to: "ann", amount: 1 }), { ledger, scope: "r" });
    expect(await ledger.get("r/1")).toBeUndefined();
  });
});

describe("the ledger", () => {
  it("recognizes a call whose keys are in another order, and long integers by their digits", async () => {
    let runs = 0;
    const tool = defineTool({
      name: "t",
      input: z.looseObject({}),
      run: () => {
        runs += 1;
        return runs;
      },
    });
    const registry = createToolRegistry([tool], { log: false });
    const make = (args: string) =>
      registry.call({ id: "1", name: "t", arguments: args }, { ledger: shared, scope: "r" });
    const shared = memoryLedger();
    await make('{"a":1,"id":9007199254740993}');
    const again = await make('{"id":9007199254740993,"a":1}');
    const other = await make('{"id":9007199254740992,"a":1}');
    expect([again.replayed, other.ok ? "ok" : other.failure.kind, runs]).toEqual([true, "denied", 1]);
  });
});
