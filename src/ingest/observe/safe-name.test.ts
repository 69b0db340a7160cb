import { describe, expect, it } from "vitest";
import { NOON } from "../../../test/support/observations.ts";
import { argumentFacts } from "./argument-facts.ts";
import { knownFields } from "./known-fields.ts";
import { CAPTURES, CallObserver, type RawCallObservation } from "./observe-call.ts";
import { safeName } from "./redact.ts";

const KEY = "sk-live-hunter22hunter22";
const rawCall = (fields: Partial<RawCallObservation>): RawCallObservation => ({
  ...{ v: 1, project: "default", session_id: "s1", agent_id: "root", source: "proxy", occurred_at: NOON },
  ...{ seen_at: NOON, live: true, tool_call_id: "t1", place: { kind: "newest" } },
  ...fields,
});

describe("a stored name", () => {
  it("a stored name stays unchanged if harmless, also when repeated 100 times", () => {
    for (let n = 0; n < 100; n += 1) expect(safeName("mcp__files__read_text_file")).toBe("mcp__files__read_text_file");
    expect(safeName("api_key")).toBe("api_key");
    expect(safeName("__proto__")).toBe("__proto__");
    expect(safeName("")).toBe("");
  });

  it("a stored name never exceeds its limit or contains a secret, wherever the cut falls", () => {
    expect(safeName("x".repeat(10_000_000))).toHaveLength(200);
    for (let before = 150; before < 210; before += 1)
      expect(safeName(`${"x".repeat(before)} ${KEY}`)).not.toContain("hunter22");
    for (let before = 40; before < 70; before += 1)
      expect(safeName(`${"x".repeat(before)} ${KEY}`, 64)).not.toContain("sk-live");
  });
});

it("a secret used as an argument's name is not stored", () => {
  const { keys } = argumentFacts({ [KEY]: 1, path: "/x" }, (text) => text);
  expect(Object.keys(keys)).toEqual(["[key]", "path"]);
});

it("arguments may be named like properties of Object.prototype", () => {
  const { keys } = argumentFacts(JSON.parse('{"__proto__": 1, "constructor": 2}'), () => "12345678");
  expect(JSON.stringify(keys)).toBe('{"__proto__":"12345678","constructor":"12345678"}');
});

it.each(CAPTURES)("capture %s: a secret used as the name of a tool or model is not stored", (capture) => {
  const observer = new CallObserver({ capture, salt: "s" });
  const result = { content: "Error: no such tool", is_error: true };
  const observation = observer.observe(rawCall({ name: KEY, model: KEY, result }));
  expect(JSON.stringify(observation)).not.toContain("hunter22");
  expect(observation).toMatchObject({ name: "[key]", model: "[key]" });
});

it("names in observations of another process are redacted too", () => {
  const received = { ...rawCall({ name: KEY, model: KEY, client: KEY, provider: KEY }), kind: "call" } as const;
  const args = { fingerprint: "f", keys: { [KEY]: "12345678" }, resources: [], size_bytes: 1 };
  expect(JSON.stringify(knownFields({ ...received, arguments: args } as never))).not.toContain("hunter22");
});

it("a failure's message is redacted before it is truncated", () => {
  const observer = new CallObserver({ capture: "errors", salt: "s" });
  for (let before = 30; before < 130; before += 1) {
    const content = `Error: ${"x".repeat(before)} postgres://admin:hunter22@db.example.com/x is away`;
    const observation = observer.observe(rawCall({ name: "query", result: { content, is_error: true } }));
    expect(observation.result?.outcome.status_message).not.toContain("hunter");
  }
});
