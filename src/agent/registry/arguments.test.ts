import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ToolOutcome } from "../outcome/outcome.ts";
import { namesMissingArgument, readReturnedError, voyageRequiredRule } from "../outcome/returned-error.ts";
import type { Tool } from "./define-tool.ts";
import { defineTool } from "./define-tool.ts";
import { createToolRegistry } from "./registry.ts";

const JSON_SCHEMA = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "number", minimum: 1 } },
  required: ["city", "days"],
};
const run = (input: unknown): unknown => input;
/** The same arguments in the words of three libraries, and as a plain JSON Schema. */
const TOOLS: readonly (readonly [string, Tool])[] = [
  ["zod", defineTool({ name: "t", input: z.object({ city: z.string(), days: z.number().min(1) }), run })],
  [
    "valibot",
    defineTool({
      name: "t",
      input: v.object({ city: v.string(), days: v.pipe(v.number(), v.minValue(1)) }),
      jsonSchema: JSON_SCHEMA,
      run,
    }),
  ],
  ["arktype", defineTool({ name: "t", input: type({ city: "string", days: "number>=1" }), run })],
  [
    "valibot that describes itself",
    defineTool({
      name: "t",
      input: toStandardJsonSchema(v.object({ city: v.string(), days: v.pipe(v.number(), v.minValue(1)) })),
      run,
    }),
  ],
  ["JSON Schema", defineTool({ name: "t", input: JSON_SCHEMA, run })],
];

const outcomeOf = (tool: Tool, args: unknown): Promise<ToolOutcome> =>
  createToolRegistry([tool]).call({ id: "1", name: tool.name, arguments: args });
async function failureOf(tool: Tool, args: unknown) {
  const outcome = await outcomeOf(tool, args);
  if (outcome.ok) throw new Error("The call succeeded.");
  return outcome.failure;
}

describe.each(TOOLS)("arguments checked by %s", (_, tool) => {
  it("B05 a missing key is a missing parameter, with its path", async () => {
    const failure = await failureOf(tool, { city: "Paris" });
    expect(failure.kind).toBe("missing_parameter");
    expect(failure.executed).toBe(false);
    expect(failure.issues).toEqual([{ path: "days", problem: "missing", message: "required" }]);
    expect(failure.modelMessage).toContain("Tool 't' was called without required parameters: days.");
  });

  it("B06 a wrong type is an invalid argument, and its value is not repeated", async () => {
    const failure = await failureOf(tool, { city: "Paris", days: "hunter2-three" });
    expect(failure.kind).toBe("invalid_arguments");
    expect(failure.issues).toMatchObject([{ path: "days", problem: "invalid" }]);
    expect(JSON.stringify(failure)).not.toContain("hunter2");
  });

  it("B06 null for a required text is invalid", async () => {
    expect((await failureOf(tool, { city: null, days: 2 })).kind).toBe("invalid_arguments");
  });

  it.each([[["a"]], ["[1]"], [5]])("B07 what is no object at all is invalid at the root: %j", async (args) => {
    const failure = await failureOf(tool, args);
    expect(failure.kind).toBe("invalid_arguments");
    expect(failure.issues?.[0]).toMatchObject({ path: "", problem: "invalid" });
  });

  it("good arguments run", async () => {
    expect(await outcomeOf(tool, '{"city":"Paris","days":2}')).toMatchObject({
      ok: true,
      value: { city: "Paris", days: 2 },
    });
  });
});

describe("what counts as missing", () => {
  const withText = (options: Partial<Tool>): Tool => ({
    ...defineTool({
      name: "t",
      input: z.object({ city: z.string().trim().min(1).nullable().pipe(z.string()) }),
      jsonSchema: {},
      run,
    }),
    ...options,
  });
  it("B06 blank text and null count as missing where the tool says so", async () => {
    expect((await failureOf(withText({}), { city: " " })).kind).toBe("invalid_arguments");
    expect((await failureOf(withText({ blankIsMissing: true }), { city: " " })).kind).toBe("missing_parameter");
    expect((await failureOf(withText({}), { city: null })).kind).toBe("invalid_arguments");
    expect((await failureOf(withText({ nullIsMissing: true }), { city: null })).kind).toBe("missing_parameter");
  });

  it("paths go into lists and objects", async () => {
    const tool = defineTool({ name: "t", input: z.object({ stops: z.array(z.object({ city: z.string() })) }), run });
    expect((await failureOf(tool, { stops: [{ city: "a" }, {}] })).issues).toEqual([
      { path: "stops[1].city", problem: "missing", message: "required" },
    ]);
  });
});

describe("argument text", () => {
  const zod = TOOLS[0]?.[1] as Tool;

  it.each(["", "  ", null, undefined])("B01 V6 no arguments at all (%j) is malformed, never {}", async (args) => {
    const failure = await failureOf(zod, args);
    expect(failure.kind).toBe("malformed_arguments");
    expect(failure.modelMessage).toContain("they were empty");
  });

  it("B01 only a tool without parameters may be called with nothing", async () => {
    const tool = defineTool({ name: "now", input: z.object({}), run: () => 1 });
    expect(await outcomeOf(tool, "")).toMatchObject({
      ok: true,
      notes: [{ kind: "repaired-arguments", steps: ["empty-arguments"] }],
    });
  });

  it("B04 JSON that can be mended is mended, and the steps are noted", async () => {
    expect(await outcomeOf(zod, "{'city': 'Paris', days: 2,}")).toMatchObject({
      ok: true,
      input: { city: "Paris", days: 2 },
      notes: [{ kind: "repaired-arguments", steps: expect.arrayContaining(["bare-key"]) }],
    });
  });

  it.each(['{"city": "Par', '{"city": "Paris", "days": 2', "hello there", '{"city":"a","days":2} {"city":"b"}'])(
    "B04 V6 JSON that cannot is malformed, never {} and then 'missing': %s",
    async (text) => {
      expect((await failureOf(zod, text)).kind).toBe("malformed_arguments");
    },
  );

  it("an object encoded twice is read, and a long number keeps its digits", async () => {
    expect(await outcomeOf(zod, JSON.stringify('{"city":"Paris","days":2}'))).toMatchObject({ ok: true });
    const ids = defineTool({ name: "t", input: z.object({ id: z.string() }), run });
    expect(await outcomeOf(ids, '{"id": 12345678901234567890}')).toMatchObject({
      ok: true,
      value: { id: "12345678901234567890" },
    });
  });

  it("B10 mended arguments are checked like any others", async () => {
    expect((await failureOf(zod, "{city: 'Paris', days: 0}")).kind).toBe("invalid_arguments");
  });

  it("V6 names the tool does not have are not dropped in silence", async () => {
    const outcome = await outcomeOf(zod, { city: "Paris", days: 2, citty: "x" });
    expect(outcome).toMatchObject({ ok: true, notes: [{ kind: "ignored-arguments", fields: ["citty"] }] });
    expect(outcome.ok && outcome.modelText).toContain("[Ignored, because 't' has no such parameters: citty.]");
    expect((await failureOf(zod, { citty: "Paris", days: 2 })).modelMessage).toContain("no parameters named: citty");
  });

  it("names a schema lets through are not ignored ones", async () => {
    const loose = defineTool({ name: "t", input: z.looseObject({ a: z.number() }), run });
    expect(await outcomeOf(loose, { a: 1, b: 2 })).toMatchObject({ ok: true, notes: [], value: { a: 1, b: 2 } });
  });

  it("B09 a check that takes its time works, and one that throws is an execution failure without its text", async () => {
    const schema = (validate: () => Promise<{ value: unknown }>) =>
      ({ "~standard": { version: 1, vendor: "x", validate } }) as const;
    const slow = defineTool({ name: "t", input: schema(async () => ({ value: 7 })), jsonSchema: {}, run });
    expect(await outcomeOf(slow, {})).toMatchObject({ ok: true, value: 7 });
    const bad = defineTool({
      name: "t",
      input: schema(() => Promise.reject(new Error("password=hunter2"))),
      jsonSchema: {},
      run,
    });
    const failure = await failureOf(bad, {});
    expect(failure).toMatchObject({
      kind: "execution",
      executed: false,
      modelMessage: '{"error":"Tool execution failed"}',
    });
  });

  it("a schema that cannot describe itself asks for its JSON Schema when the tool is defined", () => {
    // @ts-expect-error: valibot needs jsonSchema
    expect(() => defineTool({ name: "t", input: v.object({}), run })).toThrow("Give one as 'jsonSchema'");
    expect(() => defineTool({ name: "t", input: z.object({ at: z.date() }), run })).toThrow("Give one as 'jsonSchema'");
  });
});

describe("errors that tools return", () => {
  it.each([
    "location is required",
    "dates is required",
    "latitude and longitude are required",
    "query is required",
    "'location' is required.",
    "Missing required parameter: location",
    "location: Field required",
    "a, b and c are required",
  ])("B08 V8 %j is a missing parameter", (error) => {
    expect(readReturnedError({ error })).toEqual({ kind: "missing_parameter", retryable: true, message: error });
  });

  it.each([
    "dates must be a non-empty list",
    "collection_id is required and must reference a trip you can access",
    "authentication is required",
    "payment is required",
    "At least one field to update is required",
    "Web search failed",
    "x".repeat(100_000),
  ])("B08 V8 %j is not", (error) => {
    expect(namesMissingArgument(error)).toBe(false);
    expect(readReturnedError({ error })?.kind).toBe("execution");
  });

  it("V8 the original's own rule, for its own policy, says what the original said", () => {
    for (const yes of [
      "dates is required",
      "latitude and longitude are required",
      "authentication is required",
      "payment is required",
      "At least one field to update is required",
    ])
      expect(voyageRequiredRule(yes)).toBe(true);
    for (const no of [
      "'location' is required.",
      "Missing required parameter: location",
      "location: Field required",
      "dates must be a non-empty list",
      "collection_id is required and must reference a trip you can access",
    ])
      expect(voyageRequiredRule(no)).toBe(false);
  });

  it("C04 {error} is a retryable failure, and retryable: false makes it permanent", async () => {
    const tool = (result: object) => defineTool({ name: "t", input: z.object({}), run: () => result });
    expect(await failureOf(tool({ error: "Web search failed" }), {})).toMatchObject({
      kind: "execution",
      retryable: true,
      executed: true,
      modelMessage: "Error: Web search failed",
    });
    expect((await failureOf(tool({ error: "No module", retryable: false }), {})).retryable).toBe(false);
    expect((await outcomeOf(tool({ error: "" }), {})).ok).toBe(true);
    expect((await outcomeOf(tool({ error: null, hits: [] }), {})).ok).toBe(true);
  });

  it("I01 MCP's isError is a failure even beside structured content, and its text is kept for the model", async () => {
    const result = {
      isError: true,
      content: [{ type: "text", text: "No such repo" }],
      structuredContent: { ok: true },
    };
    const tool = defineTool({ name: "t", input: z.object({}), run: () => result });
    expect(await failureOf(tool, {})).toMatchObject({ kind: "execution", modelMessage: "Error: No such repo" });
  });

  it("I02 a text that only sounds like an error is a result", async () => {
    const tool = defineTool({ name: "t", input: z.object({}), run: () => "Error: not found" });
    expect((await outcomeOf(tool, {})).ok).toBe(true);
  });

  it("a value whose parts cannot even be read is a failure, not a crash", async () => {
    const trap = {
      get error(): string {
        throw new Error("trap");
      },
    };
    expect((await failureOf(defineTool({ name: "t", input: z.object({}), run: () => trap }), {})).kind).toBe(
      "execution",
    );
  });
});
