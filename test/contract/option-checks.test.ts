import { describe, expect, it } from "vitest";
import {
  callsCycle,
  callsRepeat,
  type MendMiddlewareOptions,
  mendMiddleware,
  roundsFail,
  toToolSet,
} from "../../src/adapters/ai-sdk/index.ts";
import { type MendFetchOptions, mendFetch } from "../../src/adapters/fetch/index.ts";
import { type McpToolsOptions, mcpTools } from "../../src/adapters/mcp/index.ts";
import { createSanitizer, createToolRegistry, toSSE } from "../../src/agent/index.ts";

// Options from JavaScript, JSON or `any` are not seen by the compiler. An option that does nothing is found at the start.

const SHARED: readonly (readonly [options: unknown, message: string])[] = [
  [{ mode: "knwon" }, "'mode' must be one of off, observe, known, any, but is \"knwon\"."],
  [{ modes: "off" }, "'modes' is not an option. Options: mode, allow,"],
  [{ calls: "yes" }, "'calls' must be one of off, observe, on, but is \"yes\"."],
  [{ allow: "read_*" }, "'allow' must be a list of texts, but is a string."],
  [{ deny: [5] }, "'deny' must be a list of texts, but is a list."],
  [{ maxCandidateChars: -1 }, "'maxCandidateChars' must be a whole number from 1, but is -1."],
  [{ strictCommands: 1 }, "'strictCommands' must be true or false, but is 1."],
  [{ onLeak: "log" }, "'onLeak' must be a function, but is a string."],
  [{ onCall: {} }, "'onCall' must be a function, but is an object."],
  [5, "'options' must be an object, but is 5."],
];

describe("mendFetch", () => {
  it.each([...SHARED, [{ fetch: "https://x.test" }, "'fetch' must be a function"]] as const)(
    "rejects %j",
    (options, message) => {
      expect(() => mendFetch(options as MendFetchOptions)).toThrow(`mendFetch: ${message}`);
    },
  );

  it("accepts every option, and undefined for each", () => {
    const all: Required<MendFetchOptions> = {
      ...{ mode: "any", allow: ["read_*"], deny: [], maxCandidateChars: 4096, strictCommands: true, calls: "observe" },
      ...{ onLeak: () => undefined, onCall: () => undefined, fetch: globalThis.fetch },
    };
    expect(mendFetch(all)).toBeTypeOf("function");
    expect(mendFetch(Object.fromEntries(Object.keys(all).map((name) => [name, undefined])))).toBeTypeOf("function");
  });
});

describe("mendMiddleware", () => {
  it.each([
    ...SHARED,
    [{ secondChance: "on" }, "'secondChance' must be true or false"],
    [{ onSecondChance: true }, "'onSecondChance' must be a function"],
  ] as const)("rejects %j", (options, message) => {
    expect(() => mendMiddleware(options as MendMiddlewareOptions)).toThrow(`mendMiddleware: ${message}`);
  });

  it("accepts every option", () => {
    const all: Required<MendMiddlewareOptions> = {
      ...{ mode: "any", allow: ["read_*"], deny: [], maxCandidateChars: 4096, strictCommands: true, calls: "observe" },
      ...{ onLeak: () => undefined, onCall: () => undefined, secondChance: true, onSecondChance: () => undefined },
    };
    expect(mendMiddleware(all)).toBeTypeOf("object");
  });
});

describe("stop conditions", () => {
  it.each([0, -1, Number.NaN, "3", 2.5])("reject %j, which would never or always stop", (count) => {
    expect(() => callsRepeat(count as number)).toThrow("callsRepeat: 'run' must be a whole number from 1");
    expect(() => callsCycle(count as number)).toThrow("callsCycle: 'run' must be a whole number from 3");
    expect(() => roundsFail(count as number)).toThrow("roundsFail: 'rounds' must be a whole number from 1");
  });
});

describe("createSanitizer", () => {
  it.each([
    [{ limit: -1 }, "'limit' must be a whole number from 1, but is -1."],
    [{ userLimit: "500" }, "'userLimit' must be a whole number from 1, but is a string."],
    [{ paths: "hidden" }, "'paths' must be one of keep, hide, but is \"hidden\"."],
    [{ secrets: "s3cret-value" }, "'secrets' must be a list of texts and regular expressions, but is a string."],
    [{ secrets: [5] }, "'secrets' must be a list of texts and regular expressions, but is a list."],
    [{ secret: ["x"] }, "'secret' is not an option. Options: secrets,"],
    [{ userTexts: { timeouts: "x" } }, "'userTexts.timeouts' is not an option"],
  ])("rejects %j", (options, message) => {
    expect(() => createSanitizer(options as object)).toThrow(`createSanitizer: ${message}`);
  });

  it("accepts any iterable of secrets", () => {
    expect(createSanitizer({ secrets: new Set(["s3cret-value"]) }).forModel("is s3cret-value")).toBe("is [secret]");
  });
});

describe("toSSE", () => {
  const none = async function* () {};

  it.each([
    [{ format: "ai-sdk" }, "'format' must be one of toolmend, ai-sdk-ui, but is \"ai-sdk\"."],
    [{ heartbeatMs: 0 }, "'heartbeatMs' must be a time from 1"],
    [{ after: "5" }, "'after' must be a number"],
    [{ onCancelled: () => undefined }, "'onCancelled' is not an option"],
  ])("rejects %j", (options, message) => {
    expect(() => toSSE(none(), options as object)).toThrow(`toSSE: ${message}`);
  });
});

describe("tools for other libraries", () => {
  const client = {
    listTools: async () => ({
      tools: [{ name: "t", inputSchema: { type: "object", properties: { q: { type: "strin" } } } }],
    }),
    callTool: async () => ({ content: [] }),
  } as unknown as Parameters<typeof mcpTools>[0];

  it("mcpTools rejects options that do nothing, and accepts the schemas of servers as they are", async () => {
    await expect(mcpTools(client, { only: ["read"] } as unknown as McpToolsOptions)).rejects.toThrow(
      "mcpTools: 'only' must be a function, but is a list.",
    );
    await expect(mcpTools(client, { prefx: "x" } as McpToolsOptions)).rejects.toThrow("'prefx' is not an option");
    expect((await mcpTools(client)).map(({ name }) => name)).toEqual(["t"]);
  });

  it("toToolSet rejects options that do nothing", () => {
    expect(() => toToolSet(createToolRegistry([]), { maxResultBytes: 0 })).toThrow(
      "toToolSet: 'maxResultBytes' must be a number above 0, but is 0.",
    );
  });
});
