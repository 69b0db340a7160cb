import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { conversationOf, derivedSession, type HeaderLookup, readIdentity } from "./identity.ts";
import { anthropicMessages, apiOfPath, openaiChat, turnSignature } from "./index.ts";
import type { DecodedRequest } from "./turn.ts";

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
const head =
  (headers: Readonly<Record<string, string>> = {}): HeaderLookup =>
  (name) =>
    headers[name];
const session = (headers: Readonly<Record<string, string>>, body: unknown = {}): string | undefined =>
  readIdentity(head(headers), body).session_id;

describe("readIdentity: the session sent by the client", () => {
  /** From strongest to weakest: each overrides all that follow. */
  const headers = [
    "x-toolmend-session",
    "x-claude-code-session-id",
    "metadata",
    "session-id",
    "session_id",
    "x-session-id",
    "x-session-affinity",
  ] as const;

  it.each(headers.map((name, at) => [name, headers.slice(at)] as const))(
    "prefers %s to all weaker sources",
    (name, weaker) => {
      const sent = Object.fromEntries(weaker.filter((one) => one !== "metadata").map((one) => [one, `id-${one}`]));
      const body = weaker.includes("metadata") ? { metadata: { user_id: '{"session_id":"id-metadata"}' } } : {};
      expect(session(sent, body)).toBe(`id-${name}`);
    },
  );

  it.each([
    ["a JSON text", '{"device_id":"d","account_uuid":"","session_id":"6b0f6c3e-1"}', "6b0f6c3e-1"],
    ["an object", { session_id: "6b0f6c3e-2" }, "6b0f6c3e-2"],
    ["the older text", "user_abc_account__session_6b0f6c3e-3", "6b0f6c3e-3"],
    ["the older text with an account", "user_abc_account_77-88_session_6b0f6c3e-4", "6b0f6c3e-4"],
  ])("reads the session from metadata.user_id as %s", (_shape, user_id, expected) => {
    expect(session({}, { metadata: { user_id } })).toBe(expected);
  });

  it.each([
    ["a plain user", "user-42"],
    ["broken JSON", '{"session_id":'],
    ["JSON without a session", '{"device_id":"d"}'],
    ["a session that is not a string", '{"session_id":7}'],
    ["an id with path traversal", '{"session_id":"../../etc/passwd"}'],
    ["an empty session id", "user_abc_account__session_"],
    ["a number", 7],
    ["null", null],
  ])("finds no session in metadata.user_id that is %s", (_what, user_id) => {
    expect(session({}, { metadata: { user_id } })).toBeUndefined();
    expect(session({ "session-id": "next" }, { metadata: { user_id } })).toBe("next");
  });

  it.each(["", "a b", "a\u0000b", "../x", "a/../b", "é", "x".repeat(256), "-starts-odd", "a\nb"])(
    "ignores the invalid id %j and uses the next source",
    (invalid) => {
      expect(session({ "x-claude-code-session-id": invalid })).toBeUndefined();
      expect(session({ "x-claude-code-session-id": invalid, "session-id": "next" })).toBe("next");
    },
  );

  it("accepts a session id of 255 characters from the characters of real ids", () => {
    for (const id of ["x".repeat(255), "ses_01HZX", "0199-abcd", "team/app:7", "user@host", "a+b=c", "7"]) {
      expect(session({ "x-session-id": id })).toBe(id);
    }
  });

  it("does not use a request id or cache key as the session", () => {
    expect(session({ "x-client-request-id": "abc" }, { prompt_cache_key: "abc" })).toBeUndefined();
  });
});

describe("readIdentity: the session in a Responses body", () => {
  const codex = { "user-agent": "codex_cli_rs/0.166.0 (Debian)" };

  it.each([
    [codex, "key"],
    [{ "user-agent": "codex-tui/1" }, "key"],
    [{ originator: "codex_vscode" }, "key"],
    [{ "user-agent": "opencode/1.18.33 ai-sdk" }, "key"],
    [{ "user-agent": "Zed/0.210.0" }, "key"],
    [{ "user-agent": "OpenAI/JS 6.49.0" }, undefined],
    [{ "user-agent": "my-codex-clone/1" }, undefined],
    [{ "user-agent": "zedlike/1" }, undefined],
    [{}, undefined],
  ])(
    "uses prompt_cache_key as the session only for clients known to send it there: headers %j",
    (headers, expected) => {
      expect(session(headers, { prompt_cache_key: "key" })).toBe(expected);
    },
  );

  it("prefers headers to the cache key, and the cache key to the conversation", () => {
    const body = { prompt_cache_key: "key", conversation: { id: "conv_1" }, previous_response_id: "resp_1" };
    expect(session({ ...codex, "x-session-affinity": "header" }, body)).toBe("header");
    expect(session(codex, body)).toBe("key");
    expect(session({}, body)).toBe("conv_1");
    expect(session({}, { conversation: "conv_2" })).toBe("conv_2");
  });

  it("leaves the session open for a request that continues a response, and returns that response's id", () => {
    expect(readIdentity(head(), { previous_response_id: "resp_1" })).toEqual({
      project: "default",
      agent_id: "root",
      previous_response_id: "resp_1",
    });
  });

  it.each(["../x", "a b", "", 7, null, "x".repeat(256), { id: "../x" }, { id: 7 }, []])(
    "ignores the invalid id %j",
    (id) => {
      const body = { prompt_cache_key: id, conversation: id, previous_response_id: id };
      expect(readIdentity(head(codex), body)).toEqual({ project: "default", agent_id: "root" });
    },
  );
});

describe("readIdentity: the agents of Codex", () => {
  const agent = (turn: unknown, headers: Readonly<Record<string, string>> = {}): string =>
    readIdentity(head({ "session-id": "s", "x-codex-turn-metadata": JSON.stringify(turn), ...headers }), {}).agent_id;

  it("takes the agent from the thread name, then from the thread id", () => {
    expect(agent({ agent_name: "/root", thread_id: "t" }, { "thread-id": "t" })).toBe("root");
    expect(agent({ agent_name: "/root/reviewer", thread_id: "t" }, { "thread-id": "t1" })).toBe("t1");
    expect(agent({ agent_name: "/root/reviewer", thread_id: "t" })).toBe("t");
    expect(agent({ agent_name: "/root/reviewer" })).toBe("root/reviewer");
    expect(agent({ thread_id: "s" })).toBe("root");
  });

  it.each(["{", "[]", "null", '"x"', '{"agent_name":7,"thread_id":{}}', '{"thread_id":"../x"}'])(
    "falls back to the root agent for metadata %s",
    (text) => {
      expect(readIdentity(head({ "x-codex-turn-metadata": text }), {}).agent_id).toBe("root");
    },
  );
});

describe("readIdentity: agent and project", () => {
  it.each([
    [{}, "root"],
    [{ "x-claude-code-agent-id": "a0123456789abcdef" }, "a0123456789abcdef"],
    [{ "x-toolmend-agent": "mine", "x-claude-code-agent-id": "theirs" }, "mine"],
    [{ "session-id": "s", "thread-id": "t" }, "t"],
    [{ "session-id": "s", "thread-id": "s" }, "root"],
    [{ "x-claude-code-agent-id": "not valid" }, "root"],
  ])("reads from headers %j the agent %s", (headers, agent) => {
    expect(readIdentity(head(headers), {}).agent_id).toBe(agent);
  });

  it.each([
    [{}, "default"],
    [{ "x-toolmend-project": "team-a" }, "team-a"],
    [{ "x-toolmend-project": "a b" }, "default"],
    [{ "x-toolmend-project": "../x" }, "default"],
  ])("reads from headers %j the project %s", (headers, project) => {
    expect(readIdentity(head(headers), {}).project).toBe(project);
  });
});

describe("derivedSession", () => {
  const chat = (...messages: object[]): DecodedRequest => openaiChat.decodeRequest({ messages }) as DecodedRequest;
  const prompt = { role: "user", content: "count the files" };
  const firstTurn = (id: string): object => ({
    role: "assistant",
    content: null,
    tool_calls: [{ id, type: "function", function: { name: "bash", arguments: "{}" } }],
  });
  const of = (request: DecodedRequest, key = "sk-1", turn = request.firstTurn ?? ""): string =>
    derivedSession(key, request, turn, hash);

  it("returns the same id for the first response and every later request of the conversation", () => {
    const response = openaiChat.decodeResponse({
      choices: [{ message: firstTurn("call_abc") }],
    }) as { calls: readonly { id: string; name: string }[]; text: string };
    const atFirst = of(chat(prompt), "sk-1", turnSignature(response.calls, response.text));
    const later = [prompt, firstTurn("call_abc"), { role: "tool", tool_call_id: "call_abc", content: "3" }];
    expect(of(chat(...later))).toBe(atFirst);
    expect(of(chat(...later, { role: "assistant", content: "3 files" }, { role: "user", content: "and now?" }))).toBe(
      atFirst,
    );
    expect(atFirst).toMatch(/^derived-[0-9a-f]{24}$/);
  });

  it("returns the same id if the first response was text, however the client normalizes its whitespace", () => {
    const response = anthropicMessages.decodeResponse({
      type: "message",
      content: [{ type: "text", text: "Three\n\nfiles. " }],
    }) as { text: string };
    const later = anthropicMessages.decodeRequest({
      messages: [prompt, { role: "assistant", content: [{ type: "text", text: "Three files." }] }],
    }) as DecodedRequest;
    expect(of(later)).toBe(of(chat(prompt), "sk-1", turnSignature([], response.text)));
  });

  it("returns different ids for a parallel run, another prompt and another key", () => {
    const ids = [
      of(chat(prompt, firstTurn("call_abc"))),
      of(chat(prompt, firstTurn("call_xyz"))),
      of(chat({ ...prompt, content: "count the folders" }, firstTurn("call_abc"))),
      of(chat(prompt, firstTurn("call_abc")), "sk-2"),
    ];
    expect(new Set(ids).size).toBe(4);
  });

  it("does not depend on system text, tools or model", () => {
    const body = { messages: [prompt, firstTurn("call_abc")] };
    const other = openaiChat.decodeRequest({
      model: "another",
      tools: [{ function: { name: "late" } }],
      messages: [{ role: "system", content: "today is Tuesday" }, ...body.messages],
    }) as DecodedRequest;
    expect(of(other)).toBe(of(openaiChat.decodeRequest(body) as DecodedRequest));
  });

  it("does not reveal the credential", () => {
    expect(of(chat(prompt), "sk-very-secret")).not.toContain("secret");
  });
});

describe("conversationOf", () => {
  const of = (messages: object[]): string =>
    conversationOf(anthropicMessages.decodeRequest({ messages }) as DecodedRequest, hash);

  it("returns the same id while the history grows, and another when the first message is replaced", () => {
    const first = { role: "user", content: "do it" };
    expect(of([first, { role: "assistant", content: "ok" }, { role: "user", content: "more" }])).toBe(of([first]));
    expect(of([{ role: "user", content: "Summary of the conversation so far" }])).not.toBe(of([first]));
    expect(of([first])).toMatch(/^[0-9a-f]{12}$/);
  });

  it("returns the same id whether the message is a string or parts, with or without cache_control", () => {
    const parts = [{ type: "text", text: "do it", cache_control: { type: "ephemeral" } }];
    expect(of([{ role: "user", content: parts }])).toBe(of([{ role: "user", content: "do it" }]));
  });
});

it.each([
  ["/v1/messages", "anthropic"],
  ["/anthropic/v1/messages", "anthropic"],
  ["/v1/chat/completions", "chat"],
  ["/vllm/chat/completions", "chat"],
  ["/v1/messages/count_tokens", undefined],
  ["/v1/threads/thread_1/messages", undefined],
  ["/v1/responses", "responses"],
  ["/v1/responses/resp_1", undefined],
  ["/v1/models", undefined],
  ["/", undefined],
])("apiOfPath maps %s to %s", (path, api) => {
  expect(apiOfPath(path)).toBe(api);
});
