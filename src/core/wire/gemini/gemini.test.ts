import { describe, expect, it } from "vitest";
import { readPath } from "../path.ts";
import { decodeRequest } from "./request.ts";
import { createStreamDecoder, decodeResponse } from "./response.ts";

const user = (...parts: object[]): object => ({ role: "user", parts });
const model = (...parts: object[]): object => ({ role: "model", parts });
const call = (name: string, args: object, id?: string): object => ({ functionCall: { name, args, ...(id && { id }) } });
const result = (name: string, response: object, id?: string): object => ({
  functionResponse: { name, response, ...(id && { id }) },
});

describe("the path of a Gemini request", () => {
  it.each([
    ["/v1beta/models/gemini-2.5-pro:generateContent", "gemini-2.5-pro", false],
    ["/v1beta/models/gemini-3-pro:streamGenerateContent", "gemini-3-pro", true],
    ["/gemini/v1alpha/tunedModels/mine:generateContent", "mine", false],
    [
      "/v1/projects/p/locations/l/publishers/google/models/gemini-2.5-flash:streamGenerateContent",
      "gemini-2.5-flash",
      true,
    ],
  ])("names model and stream: %s", (path, name, stream) => {
    expect(readPath(path)).toEqual({ api: "gemini", model: name, stream });
  });

  it.each([
    "/v1beta/models/m:countTokens",
    "/v1beta/models/m:embedContent",
    "/v1beta/models",
    "/v1beta/cachedContents",
  ])("another path is not read: %s", (path) => {
    expect(readPath(path)).toBeUndefined();
  });
});

describe("a Gemini request", () => {
  it("names tools in either spelling, with schemas of Google's dialect as JSON Schema", () => {
    const parameters = {
      type: "OBJECT",
      properties: { title: { type: "STRING", nullable: true } },
      required: ["title"],
    };
    const schema = { type: "object", properties: { n: { type: "number" } } };
    const request = decodeRequest({
      contents: [],
      tools: [
        { functionDeclarations: [{ name: "read_note", parameters }] },
        { function_declarations: [{ name: "count", parametersJsonSchema: schema }] },
        { googleSearch: {} },
      ],
    });
    expect(request?.tools).toEqual([
      {
        name: "read_note",
        parameters: {
          type: "object",
          properties: { title: { type: ["string", "null"], nullable: true } },
          required: ["title"],
        },
      },
      { name: "count", parameters: schema },
    ]);
  });

  it("pairs results without ids by name and order within the turn, and names calls by position", () => {
    const { calls } = decodeRequest({
      contents: [
        user({ text: "go" }),
        model(call("read", { a: 1 }), call("list", {}), call("read", { a: 2 })),
        user(
          result("list", { output: "two files" }),
          result("read", { error: "no such note" }),
          result("read", { b: 2 }),
        ),
      ],
    }) as { calls: readonly unknown[] };
    expect(calls).toEqual([
      {
        ...{ id: "functions.read:0", n: 0, name: "read", arguments: { a: 1 }, turn: "functions.read:0", turnIndex: 0 },
        ...{ result: { content: "no such note", is_error: true }, resultAt: 2 },
      },
      {
        ...{ id: "functions.list:1", n: 0, name: "list", arguments: {}, turn: "functions.read:0", turnIndex: 1 },
        ...{ result: { content: "two files", is_error: false }, resultAt: 2 },
      },
      {
        ...{ id: "functions.read:2", n: 0, name: "read", arguments: { a: 2 }, turn: "functions.read:0", turnIndex: 2 },
        ...{ result: { content: { b: 2 } }, resultAt: 2 },
      },
    ]);
  });

  it("does not give the results of a turn to an interrupted one before it", () => {
    const { calls } = decodeRequest({
      contents: [
        user({ text: "go" }),
        model(call("read", { a: 1 })),
        user({ text: "stop, read the other one" }),
        model(call("read", { a: 2 })),
        user(result("read", { output: "text" })),
      ],
    }) as { calls: readonly object[] };
    expect(calls).toMatchObject([{ unanswered: true }, { result: { content: "text" } }]);
  });

  it("uses ids where they are, also for results in another order", () => {
    const { calls } = decodeRequest({
      contents: [
        model(call("read", { a: 1 }, "x1"), call("read", { a: 2 }, "x2")),
        user(result("read", { output: "second" }, "x2"), result("read", { output: "first" }, "x1")),
      ],
    }) as { calls: readonly object[] };
    expect(calls).toMatchObject([
      { id: "x1", result: { content: "first" } },
      { id: "x2", result: { content: "second" } },
    ]);
  });

  it("pairs the results of a very large turn in linear time", () => {
    const size = 40_000;
    const { calls } = decodeRequest({
      contents: [
        model(...Array.from({ length: size }, (_, at) => call("read", { at }, at % 2 === 0 ? `x${at}` : undefined))),
        user(...Array.from({ length: size }, (_, at) => result("read", { at }, at % 2 === 0 ? `x${at}` : undefined))),
      ],
    }) as { calls: readonly { result?: { content: unknown } }[] };
    expect(calls.every((one) => one.result !== undefined)).toBe(true);
  });

  it("reads the pieces of a streamed turn, which clients keep as separate messages, as one turn", () => {
    const { calls } = decodeRequest({
      contents: [user({ text: "go" }), model(call("read", {})), model(call("list", {})), model({ text: "" })],
    }) as { calls: readonly object[] };
    expect(calls).toMatchObject([
      { turn: "functions.read:0", turnIndex: 0 },
      { turn: "functions.read:0", turnIndex: 1 },
    ]);
  });

  it("takes the first text of a person, not the description of the environment before it", () => {
    const request = decodeRequest({
      contents: [
        user({ text: "<session_context>today is Monday</session_context>" }),
        user({ text: "Count the files" }),
      ],
    });
    expect(request?.firstUserText).toBe("Count the files");
    expect(request?.prompts).toHaveLength(1);
  });
});

describe("a Gemini response", () => {
  const CHUNKS = [
    {
      candidates: [{ content: { parts: [{ text: "let me think", thought: true }], role: "model" } }],
      responseId: "r1",
    },
    {
      candidates: [{ content: { parts: [{ text: "I " }, { text: "read." }, call("read", { a: 1 })], role: "model" } }],
    },
    {
      candidates: [{ content: { parts: [call("list", {}, "id2")], role: "model" }, finishReason: "STOP", index: 0 }],
      usageMetadata: {
        promptTokenCount: 10,
        candidatesTokenCount: 4,
        thoughtsTokenCount: 3,
        cachedContentTokenCount: 6,
      },
      modelVersion: "gemini-2.5-pro",
    },
  ];
  const DECODED = {
    ...{ id: "r1", model: "gemini-2.5-pro", stopReason: "STOP", text: "I read.", finished: true },
    calls: [
      { id: "no-id-0", name: "read", arguments: { a: 1 } },
      { id: "id2", name: "list", arguments: {} },
    ],
    signature: 'read {"a":1}\nlist {}',
    usage: { input_tokens: 10, output_tokens: 7, cached_tokens: 6, reasoning_tokens: 3 },
  };

  it("a Gemini response is assembled from chunks, without the thoughts", () => {
    const decoder = createStreamDecoder();
    for (const chunk of CHUNKS) decoder.push(JSON.stringify(chunk));
    expect(decoder.end()).toEqual(DECODED);
  });

  it("a stream equals the same response as one array", () => {
    expect(decodeResponse(CHUNKS)).toEqual(DECODED);
  });

  it("a Gemini response has the signature that a later request has, whatever ids the client makes up", () => {
    const request = decodeRequest({
      contents: [user({ text: "go" }), model(call("read", { a: 1 }, "read_17_0"), call("list", {}, "list_17_1"))],
    });
    expect(request?.firstTurn).toBe(DECODED.signature);
  });

  it.each([
    [{ error: { code: 429, message: "slow down", status: "RESOURCE_EXHAUSTED" } }, "RESOURCE_EXHAUSTED: slow down"],
    [[{ error: { code: 400, message: "no", status: "INVALID_ARGUMENT" } }], "INVALID_ARGUMENT: no"],
  ])("a Gemini response may be an error: %j", (body, error) => {
    expect(decodeResponse(body)).toMatchObject({ error, calls: [], finished: true });
  });

  it("names why a prompt was blocked", () => {
    expect(decodeResponse({ promptFeedback: { blockReason: "SAFETY" } })).toMatchObject({ stopReason: "SAFETY" });
  });

  it.each([null, [], {}, { candidates: 3 }, { candidates: [null, { content: { parts: "x" } }] }, [[]]])(
    "a Gemini response may be malformed: %j",
    (body) => {
      expect(decodeResponse(body)?.calls ?? []).toEqual([]);
    },
  );
});
