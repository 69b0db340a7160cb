import { describe, expect, it } from "vitest";
import { NOON } from "../../../test/support/observations.ts";
import { ArgumentCache, argumentFacts } from "./argument-facts.ts";
import { CallObserver, type Capture, type RawCallObservation } from "./observe-call.ts";

const observer = (capture: Capture = "errors", salt = "salt"): CallObserver => new CallObserver({ capture, salt });
const hash = observer().hash;

const rawCall = (fields: Partial<RawCallObservation> = {}): RawCallObservation => ({
  v: 1,
  project: "default",
  session_id: "s1",
  agent_id: "root",
  source: "proxy",
  occurred_at: NOON,
  seen_at: NOON,
  live: true,
  tool_call_id: "toolu_1",
  place: { kind: "history", conversation: "c", n: 0 },
  name: "Bash",
  ...fields,
});

describe("the fingerprint of arguments", () => {
  const fingerprint = (value: unknown): string => argumentFacts(value, hash).fingerprint;

  it.each([
    ["key order", { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }],
    ["cache_control", { a: 1 }, { a: 1, cache_control: { type: "ephemeral" } }],
    ["whether it is a text or an object", { a: 1, b: "x" }, '{ "b": "x", "a": 1 }'],
    ["how no arguments are written", {}, "{}"],
    ["an empty text for no arguments", {}, ""],
    ["a blank text for no arguments", {}, " \n"],
    ["null for no arguments", {}, null],
    ["nothing for no arguments", {}, undefined],
  ])("the fingerprint of arguments ignores %s", (_what, one, other) => {
    expect(fingerprint(other)).toBe(fingerprint(one));
  });

  it.each([
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { a: "1" }],
    [{ a: [1, 2] }, { a: [2, 1] }],
    [{ a: null }, {}],
    ["{broken", "{broken "],
    [{ a: " x" }, { a: "x" }],
  ])("the fingerprint of arguments differs for %j and %j", (one, other) => {
    expect(fingerprint(other)).not.toBe(fingerprint(one));
  });

  it("the fingerprint of arguments depends on the salt", () => {
    expect(argumentFacts({ a: 1 }, observer("errors", "other").hash).fingerprint).not.toBe(fingerprint({ a: 1 }));
  });
});

describe("argument facts", () => {
  it("equal arguments give equal facts, as text or as an object, and other facts for another tool", () => {
    const args = { file_path: "/a/b.txt", text: "x" };
    const memory = new ArgumentCache(2);
    const facts = (value: unknown, tool: string) => argumentFacts(value, hash, tool, memory);
    for (const tool of ["read", "write_file", "read", "a", "b", "read"]) {
      expect(facts(args, tool)).toEqual(argumentFacts(args, hash, tool));
      expect(facts(JSON.stringify(args, null, 2), tool)).toEqual(
        argumentFacts(JSON.stringify(args, null, 2), hash, tool),
      );
    }
    expect(facts(args, "write_file").resources).not.toEqual(facts(args, "read").resources);
    expect(facts({ ...args, text: "y" }, "read")).toEqual(argumentFacts({ ...args, text: "y" }, hash, "read"));
  });

  it("argument facts contain a hash per key and per resource, but no value", () => {
    const facts = argumentFacts({ file_path: "/etc/shadow", Command: "cat x", url: "http://h", n: 7, path: "" }, hash);
    expect(Object.keys(facts.keys)).toEqual(["file_path", "Command", "url", "n", "path"]);
    for (const value of Object.values(facts.keys)) expect(value).toMatch(/^[0-9a-f]{8}$/);
    expect(facts.resources.map((one) => one.replace(/[0-9a-f]{12}$/, "…"))).toEqual([
      "command:…",
      "end:…",
      "path:…",
      "under:…",
      "url:…",
    ]);
    expect(JSON.stringify(facts)).not.toMatch(/shadow|cat x/);
  });

  it("argument facts have the same hash for the same resource in two tools", () => {
    const [read, edit] = [{ path: "/a" }, { file_path: "/a", old: "x" }].map(
      (one) => argumentFacts(one, hash).resources,
    );
    expect(read).toEqual(edit);
  });

  it("argument facts contain a limited number of keys", () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`key${at}${"x".repeat(500)}`, at]));
    const { keys } = argumentFacts(many, hash);
    expect(Object.keys(keys)).toHaveLength(64);
    expect(Math.max(...Object.keys(keys).map((key) => key.length))).toBe(64);
  });

  it("argument facts contain the size in bytes", () => {
    expect(argumentFacts("é", hash).size_bytes).toBe(2);
    expect(argumentFacts({ a: "é" }, hash).size_bytes).toBe(10);
    expect(argumentFacts(undefined, hash).size_bytes).toBe(2);
  });

  it.each([
    ["a text", (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`],
    ["a value", (depth: number) => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`) as unknown],
  ])("argument facts accept any depth of nesting in %s", (_how, nested) => {
    for (const capture of ["none", "errors", "full"] as const) {
      const observation = observer(capture).observe(
        rawCall({ arguments: nested(100_000), result: { content: "x", is_error: true } }),
      );
      expect(observation.arguments?.fingerprint).toMatch(/^[0-9a-f]{16}$/);
    }
    const [one, other] = [nested(100_000), nested(100_001)].map((value) => argumentFacts(value, hash).fingerprint);
    expect(one === other).toBe(typeof nested(1) !== "string");
  });
});

describe("the capture mode", () => {
  const observedText = (capture: Capture, is_error: boolean): string =>
    JSON.stringify(
      observer(capture).observe(
        rawCall({
          arguments: { command: "ARGUMENT-TEXT", nested: { deep: ["ARGUMENT-TEXT"] } },
          result: { content: [{ type: "text", text: "RESULT-TEXT: Error: RESULT-TEXT" }], is_error },
        }),
      ),
    );

  it.each([
    ["none", true, false],
    ["none", false, false],
    ["errors", true, true],
    ["errors", false, false],
    ["full", true, true],
    ["full", false, true],
  ] as const)("capture %s with failed %s: text is stored: %s", (capture, failed, isStored) => {
    const text = observedText(capture, failed);
    expect(text.includes("RESULT-TEXT")).toBe(isStored);
    expect(text.includes("ARGUMENT-TEXT")).toBe(isStored);
  });

  it("capture none stores no text of invalid arguments, unusual content and errors of many kinds", () => {
    for (const content of [
      "WORDS",
      "Exit code 3\nWORDS: not found",
      "Error: WORDS",
      "<tool_use_error>WORDS</tool_use_error>",
      "HTTP 500 WORDS",
      [{ type: "WORDS" }],
      { WORDS: 1 },
    ]) {
      for (const is_error of [true, false, undefined]) {
        const observation = observer("none").observe(
          rawCall({ arguments: "{broken WORDS", result: { content, ...(is_error !== undefined && { is_error }) } }),
        );
        expect(JSON.stringify(observation)).not.toContain("WORDS");
      }
    }
  });

  it.each([
    ["errors", 500, 200],
    ["full", 65_536, 16_384],
  ] as const)(
    "capture %s limits text to %i characters of the result, %i of the arguments and 300 of the message",
    (capture, result, args) => {
      const observation = observer(capture).observe(
        rawCall({
          name: "x".repeat(5000),
          arguments: { command: "a ".repeat(50_000) },
          result: { content: "b ".repeat(50_000), is_error: true },
        }),
      );
      expect(observation.arguments?.preview).toHaveLength(args);
      expect(observation.result?.outcome.excerpt).toHaveLength(result);
      expect(observation.result?.outcome.status_message?.length).toBeLessThanOrEqual(300);
      expect(observation.result?.size_bytes).toBe(100_000);
    },
  );

  it.each([
    ["none", undefined],
    ["errors", '{"command":"ls"}'],
    ["full", '{"command":"ls"}'],
  ] as const)(
    "capture %s stores this preview of a repaired call's arguments, whatever its outcome: %s",
    (capture, preview) => {
      const repaired = observer(capture).observe(rawCall({ origin: "recovered", arguments: { command: "ls" } }));
      expect(repaired.arguments?.preview).toBe(preview);
      expect(observer("errors").observe(rawCall({ arguments: { command: "ls" } })).arguments?.preview).toBeUndefined();
    },
  );

  it("secrets are redacted in every text", () => {
    const observation = observer("full").observe(
      rawCall({
        name: "Bash",
        arguments: { command: "mysql --password hunter22", env: { API_KEY: "hunter22" } },
        result: { content: "Access denied for postgres://u:hunter22@db", is_error: true },
      }),
    );
    expect(observation.arguments?.preview).toContain("[secret]");
    expect(observation.result?.outcome.excerpt).toContain("[secret]");
    expect(JSON.stringify(observation)).not.toContain("hunter22");
  });
});

describe("observing a call", () => {
  it("sets a result for an empty result, but none if there was no result", () => {
    expect(observer().observe(rawCall())).not.toHaveProperty("result");
    expect(observer().observe(rawCall())).not.toHaveProperty("arguments");
    expect(observer().observe(rawCall({ result: { content: undefined } })).result).toMatchObject({
      size_bytes: 0,
      outcome: { status: "unknown", flag: "absent" },
    });
  });

  it("classifies a result in parts like the same text", () => {
    const of = (content: unknown): unknown => observer().observe(rawCall({ result: { content } })).result;
    expect(of([{ type: "text", text: "all good" }])).toEqual(of("all good"));
  });

  it("drops the declared tools", () => {
    expect(observer().observe(rawCall({ tools: [{ name: "Bash" }] }))).not.toHaveProperty("tools");
  });
});

describe("the fingerprint of a failure", () => {
  const fingerprint = (content: string, capture: Capture = "errors", is_error = true): string | undefined =>
    observer(capture).observe(rawCall({ result: { content, is_error } })).result?.outcome.fingerprint;

  it("the fingerprint equals that of the same failure for another file, in every capture mode", () => {
    const one = fingerprint("cat: /srv/a/b.txt: No such file or directory");
    expect(one).toMatch(/^not_found-[0-9a-f]{12}$/);
    expect(fingerprint("cat: /home/me/c.md: No such file or directory")).toBe(one);
    expect(fingerprint("cat: /home/me/c.md: No such file or directory", "none")).toBe(one);
    expect(fingerprint("cat: /home/me/c.md: No such file or directory", "full")).toBe(one);
  });

  it("the fingerprint differs for another failure", () => {
    expect(fingerprint("cat: /srv/a: Is a directory")).not.toBe(fingerprint("cat: /srv/a: No such file or directory"));
  });

  it("the fingerprint depends on the salt, so that the text cannot be looked up", () => {
    const other = observer("none", "pepper").observe(rawCall({ result: { content: "Error: no", is_error: true } }));
    expect(other.result?.outcome.fingerprint).not.toBe(fingerprint("Error: no"));
  });

  it("only failures have a fingerprint", () => {
    expect(fingerprint("all good", "errors", false)).toBeUndefined();
  });
});
