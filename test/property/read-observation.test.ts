import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { readObservation } from "../../src/core/model/read-observation.ts";
import {
  args,
  callObservation,
  FAILED,
  leakObservation,
  lines,
  requestObservation,
  responseObservation,
  result,
} from "../support/observations.ts";
import { createTestStore } from "../support/test-store.ts";

const store = createTestStore();
afterAll(() => store.close());

const { tool_count: _tools, message_count: _messages, streaming: _streaming, ...asked } = requestObservation();
const GOOD: readonly object[] = [
  callObservation({
    ...{ arguments: args("a"), result: result("r", FAILED), execution_time_ms: 5, turnaround_ms: 7, origin: "native" },
    ...{ model: "m", provider: "p", client: "c", api: "chat", request_id: "r" },
  }),
  callObservation({ place: { kind: "response", conversation: "c1", n: 0, response_id: "m1" } }),
  requestObservation({ conversation: "c1" }),
  responseObservation({
    stored_response: {
      ...{ answer_key: "k", conversation_key: "v" },
      counts: { call_0: 2 },
      prompt_position: { count: 1, prompt: "p" },
    },
  }),
  leakObservation(),
  { ...asked, kind: "response", http_status: 200, ended: "complete", size_bytes: 1, duration_ms: 1, tool_call_ids: [] },
];

/** Every path to a value inside an object. */
function paths(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (value === null || typeof value !== "object") return [path];
  return [
    ...(path.length > 0 ? [path] : []),
    ...Object.entries(value).flatMap(([name, inner]) => paths(inner, [...path, name])),
  ];
}

function replaced(value: unknown, [name, ...rest]: readonly string[], by: unknown): unknown {
  if (name === undefined) return by;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  if (rest.length === 0 && by === undefined) delete copy[name];
  else copy[name] = replaced(copy[name], rest, by);
  return copy;
}

const odd = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(
    undefined,
    null,
    "",
    0,
    -1,
    1.5,
    1e300,
    true,
    [],
    {},
    { toString: 1 },
    "\u0000",
    "x".repeat(300),
  ),
);
const mutated = fc.constantFrom(...GOOD).chain((good) =>
  fc.array(fc.tuple(fc.constantFrom(...paths(good)), odd), { minLength: 1, maxLength: 2 }).map((changes) =>
    changes.reduce<unknown>((value, [path, by]) => {
      try {
        return replaced(value, path, by);
      } catch {
        return value;
      }
    }, good),
  ),
);

it("reading a line never throws, and a rejection has a reason", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        mutated.map((value) => JSON.stringify(value)),
        fc.json(),
        fc.string(),
      ),
      (line) => {
        const read = readObservation(line);
        if (read.kind === "rejected") expect(read.reason).toMatch(/\S/);
      },
    ),
    { numRuns: 2000 },
  );
});

it("whatever is read can be applied by the store: one line never blocks the rest", async () => {
  await fc.assert(
    fc.asyncProperty(mutated, async (value) => {
      const batch = { journal: "j", position: "1", live: true, lines: lines(value as object, callObservation()) };
      const { observations, rejected } = await store.apply(batch);
      expect(observations + rejected.length).toBe(2);
      await store.summary({});
      await store.sessions({});
      await store.breakdown("category", {});
    }),
    { numRuns: 300 },
  );
});
