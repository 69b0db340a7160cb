import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json, JsonObject } from "../../src/core/model/tool-call.ts";
import { LAST_WORDS, type ScriptedTurn } from "./scripted-model.ts";

export interface GeminiUpstream {
  readonly url: string;
  readonly requests: readonly JsonObject[];
  close(): Promise<void>;
}

/** A scripted model behind Gemini's `generateContent` and `streamGenerateContent`. */
export async function startGeminiUpstream(turns: readonly ScriptedTurn[]): Promise<GeminiUpstream> {
  const requests: JsonObject[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString() || "{}") as JsonObject;
    const path = (request.url ?? "").split("?", 1)[0] ?? "";
    if (path.endsWith(":countTokens")) {
      response.setHeader("content-type", "application/json").end('{"totalTokens":100}');
      return;
    }
    requests.push(body);
    const answer = answerTo(body, turns, requests.length);
    if (!path.endsWith(":streamGenerateContent")) {
      response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
      return;
    }
    response.setHeader("content-type", "text/event-stream").end(`data: ${JSON.stringify(answer)}\r\n\r\n`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answerTo(body: JsonObject, turns: readonly ScriptedTurn[], nth: number): JsonObject {
  const turn = "tools" in body ? (turns[resultCount(body)] ?? { text: LAST_WORDS }) : { text: "{}" };
  const part: JsonObject =
    "text" in turn ? { text: turn.text } : { functionCall: { name: turn.tool, args: turn.arguments } };
  return {
    candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 900, candidatesTokenCount: 20, totalTokenCount: 920 },
    modelVersion: "gemini-2.5-pro",
    responseId: `response-${nth}`,
  };
}

function resultCount({ contents }: JsonObject): number {
  return list(contents)
    .flatMap((content) => list((content as JsonObject).parts))
    .filter((part) => "functionResponse" in (part as JsonObject)).length;
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
