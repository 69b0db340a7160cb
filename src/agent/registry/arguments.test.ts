import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ToolOutcome } from "../outcome/outcome.ts";
import { namesMissingArgument, readReturnedError, voyageRequiredRule } from "../outcome/tool-error.ts";
import type { Tool } from "./define-tool.ts";
import { defineTool } from "./define-tool.ts";
import { createToolRegistry } from "./registry.ts";

const JSON_SCHEMA = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "number", minimum: 1 } },
  required: ["city", "days"],
};
const run = (input: unknown): unknown => input;
/** The same arguments, defined with three libraries and as a plain JSON Schema. */
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
  it("reports a missing key as a missing parameter, with its path", async () => {
    const failure = await failureOf(tool, { city: "Paris" });
    expect(failure.kind).toBe("missing_parameter");
    expect(failure.executed).toBe(false);
    expect(failure.issues).toEqual([{ path: "days", problem: "missing", message: "required" }]);
    expect(failure.modelMessage).toContain("Tool 't' was called without required parameters: days.");
  });

  it("reports a wrong type as an invalid argument without repeating its value", async () => {
    const failure = await failureOf(tool, { city: "Paris", days: "hunter2-three" });
    expect(failure.kind).toBe("invalid_arguments");
    expect(failure.issues).toMatchObject([{ path: "days", problem: "invalid" }]);
    expect(JSON.stringify(failure)).not.toContain("hunter2");
  });

  it("reports null for a required string as invalid", async () => {
    expect((await failureOf(tool, { city: null, days: 2 })).kind).toBe("invalid_arguments");
  });

  it.each([[["a"]], ["[1]"], [5]])("reports a value that is not an object as invalid at the root: %j", async (args) => {
    const failure = await failureOf(tool, args);
    expect(failure.kind).toBe("invalid_arguments");
    expect(failure.issues?.[0]).toMatchObject({ path: "", problem: "invalid" });
  });

  it("runs the tool with valid arguments", async () => {
    expect(await outcomeOf(tool, '{"city":"Paris","days":2}')).toMatchObject({
      ok: true,
      value: { city: "Paris", days: 2 },
    });
  });
});

describe("missing values", () => {
  const withText = (options: Partial<Tool>): Tool => ({
    ...defineTool({
      name: "t",
      input: z.object({ city: z.string().trim().min(1).nullable().pipe(z.string()) }),
      jsonSchema: {},
      run,
    }),
    ...options,
  });
  it("blank text and null count as missing if the tool is configured so", async () => {
    expect((await failureOf(withText({}), { city: " " })).kind).toBe("invalid_arguments");
    expect((await failureOf(withText({ blankIsMissing: true }), { city: " " })).kind).toBe("missing_parameter");
    expect((await failureOf(withText({}), { city: null })).kind).toBe("invalid_arguments");
    expect((await failureOf(withText({ nullIsMissing: true }), { city: null })).kind).toBe("missing_parameter");
  });

  it("paths include lists and objects", async () => {
    const tool = defineTool({ name: "t", input: z.object({ stops: z.array(z.object({ city: z.string() })) }), run });
    expect((await failureOf(tool, { stops: [{ city: "a" }, {}] })).issues).toEqual([
      { path: "stops[1].city", problem: "missing", message: "required" },
    ]);
  });
});

describe("arguments as text", () => {
  const zod = TOOLS[0]?.[1] as Tool;

  it.each(["", "  ", null, undefined])("reports absent arguments (%j) as malformed, never as {}", async (args) => {
    const failure = await failureOf(zod, args);
    expect(failure.kind).toBe("malformed_arguments");
    expect(failure.modelMessage).toContain("they were empty");
  });

  it("allows absent arguments only for a tool without parameters", async () => {
    const tool = defineTool({ name: "now", input: z.object({}), run: () => 1 });
    expect(await outcomeOf(tool, "")).toMatchObject({
      ok: true,
      notes: [{ kind: "repaired-arguments", steps: ["empty-arguments"] }],
    });
  });

  it("repairs values if they have one right reading, and the step is noted", async () => {
    expect(await outcomeOf(zod, { city: "Paris", days: "2" })).toMatchObject({
      ok: true,
      input: { city: "Paris", days: 2 },
      notes: [{ kind: "repaired-arguments", steps: ["number-as-text"] }],
    });
    expect(await outcomeOf(zod, '{"city": "Paris", "days": "two"}')).toMatchObject({ ok: false });
  });

  it("repairs malformed JSON if possible, and notes the steps", async () => {
    expect(await outcomeOf(zod, "{'city': 'Paris', days: 2,}")).toMatchObject({
      ok: true,
      input: { city: "Paris", days: 2 },
      notes: [{ kind: "repaired-arguments", steps: expect.arrayContaining(["bare-key"]) }],
    });
  });

  it.each(['{"city": "Par', '{"city": "Paris", "days": 2', "hello there", '{"city":"a","days":2} {"city":"b"}'])(
    "reports JSON that cannot be repaired as malformed, never as {} with missing parameters: %s",
    async (text) => {
      expect((await failureOf(zod, text)).kind).toBe("malformed_arguments");
    },
  );

  it("parses a double-encoded object, and keeps the digits of a long number", async () => {
    expect(await outcomeOf(zod, JSON.stringify('{"city":"Paris","days":2}'))).toMatchObject({ ok: true });
    const ids = defineTool({ name: "t", input: z.object({ id: z.string() }), run });
    expect(await outcomeOf(ids, '{"id": 12345678901234567890}')).toMatchObject({
      ok: true,
      value: { id: "12345678901234567890" },
    });
  });

  it("validates repaired arguments like any others", async () => {
    expect((await failureOf(zod, "{city: 'Paris', days: 0}")).kind).toBe("invalid_arguments");
  });

  it("reports unknown parameters instead of dropping them silently", async () => {
    const outcome = await outcomeOf(zod, { city: "Paris", days: 2, citty: "x" });
    expect(outcome).toMatchObject({ ok: true, notes: [{ kind: "ignored-arguments", fields: ["citty"] }] });
    expect(outcome.ok && outcome.modelText).toContain("[Ignored, because 't' has no such parameters: citty.]");
    expect((await failureOf(zod, { citty: "Paris", days: 2 })).modelMessage).toContain("no parameters named: citty");
  });

  it("does not report parameters that the schema allows", async () => {
    const loose = defineTool({ name: "t", input: z.looseObject({ a: z.number() }), run });
    expect(await outcomeOf(loose, { a: 1, b: 2 })).toMatchObject({ ok: true, notes: [], value: { a: 1, b: 2 } });
  });

  it("supports asynchronous validation, and reports an exception in it as an execution failure without its text", async () => {
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

  it("requires a JSON Schema for a schema library that cannot generate one", () => {
    // @ts-expect-error: valibot needs jsonSchema
    expect(() => defineTool({ name: "t", input: v.object({}), run })).toThrow("Pass one as 'jsonSchema'");
    expect(() => defineTool({ name: "t", input: z.object({ at: z.date() }), run })).toThrow("Pass one as 'jsonSchema'");
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
  ])("the error %j of a tool reports a missing parameter", (error) => {
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
  ])("the error %j of a tool does not report a missing parameter", (error) => {
    expect(namesMissingArgument(error)).toBe(false);
    expect(readReturnedError({ error })?.kind).toBe("execution");
  });

  it("the original's rule reproduces its results, for its own policy only", () => {
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

  it("{error} is a retryable failure, and retryable: false makes it permanent", async () => {
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

  it("MCP's isError is a failure even with structured content, and its text is forwarded to the model", async () => {
    const result = {
      isError: true,
      content: [{ type: "text", text: "No such repo" }],
      structuredContent: { ok: true },
    };
    const tool = defineTool({ name: "t", input: z.object({}), run: () => result });
    expect(await failureOf(tool, {})).toMatchObject({ kind: "execution", modelMessage: "Error: No such repo" });
  });

  it("a text that only resembles an error is a result", async () => {
    const tool = defineTool({ name: "t", input: z.object({}), run: () => "Error: not found" });
    expect((await outcomeOf(tool, {})).ok).toBe(true);
  });

  it("a value whose properties throw is a failure, not a crash", async () => {
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
