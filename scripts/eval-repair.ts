/**
 * Measures repair of streams on rows with calls and on rows without: every row is streamed by the scripted upstream's
 * encoders in all three APIs, repaired, read back, and sent on as history under the strict upstream's rules. See
 * docs/repair.md.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Json, JsonObject } from "../src/core/model/tool-call.ts";
import { extractToolCalls } from "../src/core/recover/index.ts";
import {
  createStreamRepairer,
  type RepairOptions,
  readRepairOptions,
  repairJsonResponse,
} from "../src/core/repair/index.ts";
import { CALL_ID_APIS as APIS, type CallIdApi as Api } from "../src/core/wire/call-ids.ts";
import { type DecodedResponse, WIRE } from "../src/core/wire/index.ts";
import { encodeBody, encodeStream, framesOf, UPSTREAM_APIS } from "../test/support/encode-turn.ts";
import { parseRequest } from "../test/support/upstream/parsed-request.ts";
import { checkRequest } from "../test/support/upstream/rules/check-request.ts";
import { respond } from "../test/support/upstream/turn.ts";

interface Row {
  readonly id: string;
  readonly text: string;
  readonly tools?: readonly { readonly name: string; readonly parameters?: JsonObject }[];
  readonly context?: readonly string[];
  readonly expected_calls?: readonly { readonly name: string; readonly arguments: Json }[];
}

const { values } = parseArgs({
  options: { cases: { type: "string" }, negatives: { type: "string" }, failures: { type: "boolean", default: false } },
});
const CHUNKS = [1, 4, 16, 1 << 20];

function load(file: string | undefined): readonly Row[] {
  const lines = file === undefined ? [] : readFileSync(file, "utf8").split("\n");
  const rows = lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as Row);
  // A request cannot declare a tool without a schema, and the schema determines the types of values.
  return rows.map((row) => ({ ...row, tools: (row.tools ?? []).map((tool) => ({ parameters: SCHEMA, ...tool })) }));
}

const SCHEMA: JsonObject = { type: "object" };
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** The request that a client would have sent before this response. */
function requestOf(api: Api, { tools = [] }: Row): JsonObject {
  const prompt = { role: "user", content: "Go on." };
  switch (api) {
    case "anthropic":
      return {
        ...{ model: "m", max_tokens: 100, messages: [prompt] },
        tools: tools.map(({ name, parameters }) => ({ name, input_schema: parameters as JsonObject })),
      };
    case "chat":
      return {
        ...{ model: "m", messages: [prompt] },
        tools: tools.map(({ name, parameters }) => ({
          type: "function",
          function: { name, parameters: parameters as JsonObject },
        })),
      };
    case "responses":
      return {
        ...{ model: "m", input: [prompt], store: false },
        tools: tools.map(({ name, parameters }) => ({ type: "function", name, parameters: parameters as JsonObject })),
      };
  }
}

/** The next request: the response as a client would store it, and a result for each call. */
function nextRequest(api: Api, request: JsonObject, { text, calls }: DecodedResponse): JsonObject {
  const parsed = (args: unknown): Json => (typeof args === "string" ? (JSON.parse(args) as Json) : (args as Json));
  switch (api) {
    case "anthropic": {
      const uses = calls.map(({ id, name, arguments: args }) => ({ type: "tool_use", id, name, input: parsed(args) }));
      const content = [...(text === "" ? [] : [{ type: "text", text }]), ...uses];
      const results = calls.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: "ok" }));
      const turns = [
        { role: "assistant", content },
        { role: "user", content: results },
      ];
      return { ...request, messages: [...(request.messages as readonly Json[]), ...turns] };
    }
    case "chat": {
      const toolCalls = calls.map(({ id, name, arguments: args }) => ({
        id,
        type: "function",
        function: { name, arguments: args as string },
      }));
      const turns = [
        { role: "assistant", content: text === "" ? null : text, tool_calls: toolCalls },
        ...calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: "ok" })),
      ];
      return { ...request, messages: [...(request.messages as readonly Json[]), ...turns] };
    }
    case "responses": {
      const items = calls.map(({ id, name, arguments: args }) => ({
        type: "function_call",
        call_id: id,
        name,
        arguments: args as string,
      }));
      const content =
        text === "" ? [] : [{ type: "message", role: "assistant", content: [{ type: "output_text", text }] }];
      const results = calls.map(({ id }) => ({ type: "function_call_output", call_id: id, output: "ok" }));
      return { ...request, input: [...(request.input as readonly Json[]), ...content, ...items, ...results] };
    }
  }
}

function refusedBy(api: Api, body: JsonObject): string | undefined {
  const frame = {
    operation: "generate",
    nth: 0,
    path: "/",
    headers: {},
    flavor: "openai",
    callIdsUniqueWithin: "conversation",
  } as const;
  const violation = checkRequest(parseRequest({ api: UPSTREAM_APIS[api], ...frame }, body));
  return violation === undefined ? undefined : `${violation.rule}: ${violation.problem.message}`;
}

let ids = 0;
function repairOptionsFor(api: Api, request: JsonObject): RepairOptions | undefined {
  const letters = (length: number): string => {
    ids += 1;
    return String(ids).padStart(length, "x").slice(-length);
  };
  return readRepairOptions(api, request, { settings: { mode: "known" }, randomAlphanumeric: letters });
}

function stream(
  api: Api,
  request: JsonObject,
  text: string,
  characters: number,
): { original: string; repaired: string } {
  const original = encodeStream(api, { ...respond(text), chunking: { characters } }, request);
  const options = repairOptionsFor(api, request);
  if (options === undefined) return { original, repaired: original };
  const repairer = createStreamRepairer(api, options);
  const out = framesOf(original).flatMap((frame) => repairer.push(frame));
  return { original, repaired: Buffer.concat([...out, ...repairer.end()]).toString() };
}

function decode(api: Api, text: string): DecodedResponse {
  const decoder = WIRE[api].createStreamDecoder();
  for (const { data } of framesOf(text)) if (data !== undefined) decoder.push(data);
  return decoder.end();
}

const callsText = (calls: readonly { readonly name: string; readonly arguments: unknown }[]): string =>
  JSON.stringify(
    calls.map((call) => [call.name, typeof call.arguments === "string" ? JSON.parse(call.arguments) : call.arguments]),
  );

function report(what: string, right: number, all: number): void {
  console.log(`${what.padEnd(64)} ${right} / ${all}  ${all === 0 ? "–" : `${((100 * right) / all).toFixed(2)} %`}`);
}

/** Checks one row with one API and chunking; returns the problem, or undefined. */
function checkPositive(api: Api, row: Row, characters: number | "json"): string | undefined {
  const request = requestOf(api, row);
  const found = extractToolCalls(row.text, { tools: row.tools ?? [] });
  let decoded: DecodedResponse | undefined;
  if (characters === "json") {
    const options = repairOptionsFor(api, request) as RepairOptions;
    const source = encodeBody(api, respond(row.text), request);
    const result = repairJsonResponse(api, source, options);
    decoded = WIRE[api].decodeResponse(JSON.parse(result.kind === "repaired" ? result.text : source));
  } else decoded = decode(api, stream(api, request, row.text, characters).repaired);
  if (decoded === undefined) return "not readable";
  if (callsText(decoded.calls) !== callsText(found.toolCalls)) return `calls ${callsText(decoded.calls)}`;
  const text = found.content.trim() === "" ? "" : found.content;
  if (decoded.text !== text) return `text ${JSON.stringify(decoded.text)} instead of ${JSON.stringify(text)}`;
  return refusedBy(api, nextRequest(api, request, decoded));
}

const failures: string[] = [];
const started = performance.now();
for (const api of APIS) {
  const negatives = load(values.negatives);
  for (const characters of CHUNKS.slice(0, 3)) {
    const changed = negatives.filter((row) => {
      const { original, repaired } = stream(api, requestOf(api, row), row.text, characters);
      return original !== repaired;
    });
    failures.push(...changed.map(({ id }) => `${api} ${characters} ${id}: changed`));
    report(
      `${api}: rows without calls, ${characters} characters, byte for byte`,
      negatives.length - changed.length,
      negatives.length,
    );
  }
}
const positives = load(values.cases);
for (const api of APIS) {
  // Names with dots are invalid in the API itself, so no client can send them.
  const possible = positives.filter(
    (row) =>
      (row.tools ?? []).every(({ name }) => NAME.test(name)) && refusedBy(api, requestOf(api, row)) === undefined,
  );
  const read = possible.filter((row) => {
    const { toolCalls } = extractToolCalls(row.text, { tools: row.tools ?? [] });
    return toolCalls.length > 0 && toolCalls.every(({ known }) => known);
  });
  report(`${api}: rows whose tools the API accepts`, possible.length, positives.length);
  report(`${api}: of these, with calls that are extracted and declared`, read.length, possible.length);
  for (const characters of [...CHUNKS, "json" as const]) {
    let right = 0;
    for (const row of read) {
      const problem = checkPositive(api, row, characters);
      if (problem === undefined) right += 1;
      else failures.push(`${api} ${characters} ${row.id}: ${problem}`);
    }
    report(
      `${api}: repaired and accepted, ${characters === "json" ? "JSON" : `${characters} characters`}`,
      right,
      read.length,
    );
  }
}
console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`);
if (values.failures) for (const failure of failures) console.log(failure);
process.exitCode = failures.length === 0 ? 0 : 1;
