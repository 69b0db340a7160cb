import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { PROMPT } from "../../../test/support/agent-run.ts";
import { runToolLoop } from "../loop/run-tool-loop.ts";
import { scriptedModel } from "../testing/index.ts";
import { defineTool, type ToolContext } from "./define-tool.ts";
import { createToolRegistry } from "./registry.ts";

// The compiler checks this file; the tests only make sure that it also runs.

interface Trip {
  readonly stops: readonly string[];
}
const add = defineTool({
  name: "add",
  input: z.object({ a: z.number(), b: z.number() }),
  run: ({ a, b }) => ({ sum: a + b, at: new Date(0) }),
});
const near = defineTool({
  name: "near",
  input: z.object({ location: z.string() }),
  run: ({ location }, { context }: ToolContext<Trip>) => context.stops.includes(location),
});
const registry = createToolRegistry([add, near], { log: false });
const trip: Trip = { stops: ["Paris"] };

describe("the types of a registry", () => {
  it("the types of a registry contain the value of each tool", async () => {
    const outcome = await registry.call({ id: "1", name: "add", arguments: { a: 1, b: 2 } });
    if (!outcome.ok) throw new Error("failed");
    expectTypeOf(outcome.value).toEqualTypeOf<{ sum: number; at: Date }>();
    expect(outcome.value.sum).toBe(3);
    const other = await registry.call({ id: "1", name: "nope" as string, arguments: {} });
    if (other.ok) expectTypeOf(other.value).toEqualTypeOf<unknown>();
  });

  it("the types of a registry contain the names that can be selected", () => {
    expect([...registry.only(["add"]).tools.keys()]).toEqual(["add"]);
    // @ts-expect-error: no tool has this name
    registry.only(["ad"]);
  });

  it("the types of a registry contain the context that tools need", async () => {
    const call = { id: "1", name: "near", arguments: { location: "Paris" } } as const;
    expect(await registry.call(call, { context: trip })).toMatchObject({ ok: true, value: true });
    // @ts-expect-error: not the context of these tools
    void (() => registry.call(call, { context: { stops: 3 } }));
    const options = { registry, model: scriptedModel([]), messages: [PROMPT] };
    // @ts-expect-error: not the context of these tools
    void (() => runToolLoop({ ...options, context: { trips: [] } }));
    void (() => runToolLoop({ ...options, context: trip }));
  });

  it("the types of a registry contain the parameters that a fallback can fill", () => {
    const base = { name: "t", input: z.object({ location: z.string() }), run: () => 1 } as const;
    defineTool({ ...base, fallback: () => [{ location: "Paris" }] });
    // @ts-expect-error: the tool has no such parameter
    defineTool({ ...base, fallback: () => [{ locaton: "Paris" }] });
  });

  it("the types of a registry contain the results in events, and the final output", async () => {
    const model = scriptedModel([{ calls: [{ name: "add", arguments: { a: 1, b: 2 } }] }, '{"total": 3}']);
    const output = z.object({ total: z.number() });
    const run = runToolLoop({ registry, model, messages: [PROMPT], context: trip, output });
    let next = await run.next();
    for (; next.done !== true; next = await run.next()) {
      const event = next.value;
      if (event.kind !== "tool_result") continue;
      if (event.name === "add") {
        expectTypeOf(event.result).toEqualTypeOf<{ readonly sum: number; readonly at: string }>();
        expect(event.result).toEqual({ sum: 3, at: "1970-01-01T00:00:00.000Z" });
      } else expectTypeOf(event.result).toEqualTypeOf<boolean>();
    }
    expectTypeOf(next.value.output).toEqualTypeOf<{ total: number } | undefined>();
    expect(next.value.output).toEqual({ total: 3 });
  });
});
