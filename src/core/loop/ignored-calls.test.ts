import { describe, expect, it } from "vitest";
import { openaiChat } from "../wire/index.ts";
import { guardRequest } from "./guard-request.ts";
import { ignoredBy } from "./ignored-calls.ts";

describe("ignoredBy", () => {
  it("matches names, and commands in brackets", () => {
    const isIgnored = ignoredBy(["TaskOutput", "mcp__jobs__*", "Bash(sleep *)", 'get({"id":*})']);
    expect(isIgnored("TaskOutput", {})).toBe(true);
    expect(isIgnored("mcp__jobs__status", { id: 1 })).toBe(true);
    expect(isIgnored("Bash", { command: "sleep 5" })).toBe(true);
    expect(isIgnored("Bash", '{"command":"sleep 5"}')).toBe(true);
    expect(isIgnored("Bash", { command: "ls" })).toBe(false);
    expect(isIgnored("get", { id: 7 })).toBe(true);
    expect(isIgnored("Read", {})).toBe(false);
  });
});

describe("guardRequest with ignored calls", () => {
  function decide(repeats: number, ignore: readonly string[]) {
    const messages = Array.from({ length: repeats }, (_, at) => [
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: `c${at}`, type: "function", function: { name: "read", arguments: '{"path":"a"}' } }],
      },
      { role: "tool", tool_call_id: `c${at}`, content: "text" },
    ]).flat();
    const body = {
      tools: [{ type: "function", function: { name: "read" } }],
      messages: [{ role: "user", content: "Go." }, ...messages],
    };
    const request = openaiChat.decodeRequest(body);
    if (request === undefined) throw new Error("not a request");
    return guardRequest("chat", body, request, ignoredBy(ignore));
  }

  it("an ignored call gets no note, and is stopped at 30 repeats instead of 10", () => {
    expect(decide(12, [])).toMatchObject({ stop: true, notes: [{}, {}] });
    expect(decide(12, ["read"])).toMatchObject({ stop: false, notes: [] });
    expect(decide(30, ["read"])).toMatchObject({ stop: false, notes: [] });
    expect(decide(31, ["read"])).toMatchObject({ stop: true, notes: [] });
    expect(decide(12, ["write"])).toMatchObject({ stop: true });
  });
});
