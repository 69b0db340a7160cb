import { describe, expect, it } from "vitest";
import { NOON } from "../../../test/support/observations.ts";
import { argumentFacts } from "./argument-facts.ts";
import { knownFields } from "./known-fields.ts";
import { CAPTURES, CallObserver, type RawCallObservation } from "./observe-call.ts";
import { safeName } from "./safe-name.ts";

const KEY = "sk-live-hunter22hunter22";
const sighting = (fields: Partial<RawCallObservation>): RawCallObservation => ({
  ...{ v: 1, project: "default", session_id: "s1", agent_id: "root", source: "proxy", occurred_at: NOON },
  ...{ seen_at: NOON, live: true, tool_call_id: "t1", place: { kind: "newest" } },
  ...fields,
});

describe("a name", () => {
  it("is kept as it is, also at the hundredth time", () => {
    for (let n = 0; n < 100; n += 1) expect(safeName("mcp__files__read_text_file")).toBe("mcp__files__read_text_file");
    expect(safeName("api_key")).toBe("api_key");
    expect(safeName("__proto__")).toBe("__proto__");
    expect(safeName("")).toBe("");
  });

  it("is bounded, and no place for a secret, wherever the cut falls", () => {
    expect(safeName("x".repeat(10_000_000))).toHaveLength(200);
    for (let before = 150; before < 210; before += 1)
      expect(safeName(`${"x".repeat(before)} ${KEY}`)).not.toContain("hunter22");
    for (let before = 40; before < 70; before += 1)
      expect(safeName(`${"x".repeat(before)} ${KEY}`, 64)).not.toContain("sk-live");
  });
});

it("a secret in the place of an argument's name is not kept", () => {
  const { keys } = argumentFacts({ [KEY]: 1, path: "/x" }, (text) => text);
  expect(Object.keys(keys)).toEqual(["[key]", "path"]);
});

it("names of arguments may be those of every object's own", () => {
  const { keys } = argumentFacts(JSON.parse('{"__proto__": 1, "constructor": 2}'), () => "12345678");
  expect(JSON.stringify(keys)).toBe('{"__proto__":"12345678","constructor":"12345678"}');
});

it.each(CAPTURES)("capture %s: a secret in the place of a tool's or model's name is not kept", (capture) => {
  const observer = new CallObserver({ capture, salt: "s" });
  const result = { content: "Error: no such tool", is_error: true };
  const seen = observer.observe(sighting({ name: KEY, model: KEY, result }));
  expect(JSON.stringify(seen)).not.toContain("hunter22");
  expect(seen).toMatchObject({ name: "[key]", model: "[key]" });
});

it("what another process observed is held to the same", () => {
  const told = { ...sighting({ name: KEY, model: KEY, client: KEY, provider: KEY }), kind: "call" } as const;
  const args = { fingerprint: "f", keys: { [KEY]: "12345678" }, resources: [], size_bytes: 1 };
  expect(JSON.stringify(knownFields({ ...told, arguments: args } as never))).not.toContain("hunter22");
});

it("a failure's message is redacted before it is cut", () => {
  const observer = new CallObserver({ capture: "errors", salt: "s" });
  for (let before = 30; before < 130; before += 1) {
    const content = `Error: ${"x".repeat(before)} postgres://admin:hunter22@db.example.com/x is away`;
    const seen = observer.observe(sighting({ name: "query", result: { content, is_error: true } }));
    expect(seen.result?.outcome.status_message).not.toContain("hunter");
  }
});
