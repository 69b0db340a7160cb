import { describe, expect, it } from "vitest";
import { findTarget, isAnthropicHost, joinPath, ownUpstreams, type Upstream } from "./upstreams.ts";

describe("joinPath", () => {
  it.each([
    ["https://api.anthropic.com", "/v1/messages", "/v1/messages"],
    ["https://api.anthropic.com/", "/v1/messages?beta=true", "/v1/messages?beta=true"],
    ["https://api.openai.com/v1", "/v1/chat/completions", "/v1/chat/completions"],
    ["https://api.openai.com/v1/", "/v1/chat/completions", "/v1/chat/completions"],
    ["https://api.openai.com/v1", "/chat/completions", "/v1/chat/completions"],
    ["https://h/api/paas/v4", "/v1/chat/completions", "/api/paas/v4/chat/completions"],
    ["https://h/v1beta", "/v1/models", "/v1beta/models"],
    ["https://h/v1beta1", "/v1/models", "/v1beta1/models"],
    ["https://h/v1alpha", "/v1", "/v1alpha"],
    ["https://h/v1", "/v1", "/v1"],
    ["https://h/v1", "/v1beta/models", "/v1/v1beta/models"],
    ["https://h/v1", "/v2/models", "/v1/v2/models"],
    ["https://h/openai", "/v1/models", "/openai/v1/models"],
    ["https://h/v1beta/openai/", "/v1/chat/completions", "/v1beta/openai/chat/completions"],
    ["https://h/v1/openai", "/v1/models", "/v1/openai/models"],
    ["https://h/v1/account/openai", "/v1/models", "/v1/account/openai/v1/models"],
    ["https://h/v1?api-version=2", "/v1/models", "/v1/models?api-version=2"],
    ["https://h/v1?api-version=2", "/v1/models?a=1", "/v1/models?a=1&api-version=2"],
    ["https://h/nav1", "/v1/models", "/nav1/v1/models"],
    ["https://h/v1", "/v1/models?a=1&b=%2F", "/v1/models?a=1&b=%2F"],
    ["https://h", "/", "/"],
    ["https://h/v1beta", "/v1beta/models/m:generateContent", "/v1beta/models/m:generateContent"],
    ["http://h:11434/v1", "/api/chat", "/api/chat"],
    ["https://h/api/v1", "/chat/completions", "/api/v1/chat/completions"],
    ["https://h/v1", "/", "/v1/"],
  ])("joins %s and %s to %s", (base, path, expected) => {
    expect(joinPath(new URL(base), path)).toBe(expected);
  });
});

describe("ownUpstreams", () => {
  it.each([
    ["https://example.com/mcp", "mcp"],
    ["https://example.com/mcp/", "mcp"],
    ["https://example.com/v1/mcp?x=1", "mcp"],
    ["https://mcp.example.com/", "mcp"],
    ["https://example.com/v1", "llm"],
    ["https://example.com/mcpx", "llm"],
    ["http://127.0.0.1:8000", "llm"],
  ])("recognizes MCP servers by their URL: %s", (url, kind) => {
    expect(ownUpstreams([{ name: "openai", url: new URL(url) }])).toEqual({ llm: [], mcp: [] });
    expect(ownUpstreams([{ name: "my", url: new URL(url) }])).toEqual({ llm: [], mcp: [], [kind]: ["my"] });
  });
});

describe("findTarget", () => {
  const upstream = (name: string, url: string): [string, Upstream] => [name, { name, url: new URL(url) }];
  const upstreams = new Map([
    upstream("anthropic", "https://api.anthropic.com"),
    upstream("openai", "https://api.openai.com/v1"),
    upstream("vllm", "http://127.0.0.1:8000/v1"),
    upstream("bare", "http://127.0.0.1:9000"),
  ]);
  const found = (path: string, headers: Readonly<Record<string, string>> = {}): string | undefined => {
    const target = findTarget(path, (name) => headers[name], upstreams);
    return target && `${target.upstream.name} ${target.path}`;
  };

  it.each([
    ["/v1/messages", "anthropic /v1/messages"],
    ["/v1/messages?beta=true", "anthropic /v1/messages?beta=true"],
    ["/v1/messages/count_tokens", "anthropic /v1/messages/count_tokens"],
    ["/v1/messages/batches", "anthropic /v1/messages/batches"],
    ["/v1/complete", "anthropic /v1/complete"],
    ["/v1/completions", "openai /v1/completions"],
    ["/v1/chat/completions", "openai /v1/chat/completions"],
    ["/v1/responses", "openai /v1/responses"],
    ["/v1/messagesque", "openai /v1/messagesque"],
    ["/v1/files/f?purpose=x", "openai /v1/files/f?purpose=x"],
    ["/vllm/v1/chat/completions", "vllm /v1/chat/completions"],
    ["/vllm/chat/completions?x=1", "vllm /v1/chat/completions?x=1"],
    ["/vllm/tokenize", "vllm /v1/tokenize"],
    ["/bare/v1/models", "bare /v1/models"],
    ["/bare", "bare /"],
    ["/anthropic/v1/messages", "anthropic /v1/messages"],
    ["/", undefined],
    ["/metrics", undefined],
    ["/api/summary", undefined],
    ["/v1x/models", undefined],
    ["/unknown/v1/models", undefined],
    ["/constructor/x", undefined],
  ])("routes %s to %s", (path, expected) => {
    expect(found(path)).toBe(expected);
  });

  it("routes /v1/models by the client's anthropic-version header", () => {
    expect(found("/v1/models")).toBe("openai /v1/models");
    expect(found("/v1/models", { "anthropic-version": "2023-06-01" })).toBe("anthropic /v1/models");
  });
});

it.each([
  ["api.anthropic.com", true],
  ["bedrock-runtime.eu-west-1.amazonaws.com", true],
  ["anthropic.com.example", false],
  ["notanthropic.com", false],
  ["127.0.0.1", false],
])("%s enforces Anthropic's rules: %s", (hostname, expected) => {
  expect(isAnthropicHost(hostname)).toBe(expected);
});
