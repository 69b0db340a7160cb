import { isObject, parseJsonBody } from "../wire/json.ts";
import { CallIds } from "./call-ids.ts";
import { type RepairedCalls, repairJsonCalls } from "./calls/json-calls.ts";
import { chatJson } from "./json/chat-json.ts";
import { geminiJson } from "./json/gemini-json.ts";
import { messagesJson } from "./json/messages-json.ts";
import { ollamaJson } from "./json/ollama-json.ts";
import { responsesJson } from "./json/responses-json.ts";
import type { TurnContext } from "./repair-turn.ts";
import { RepairTurn } from "./repair-turn.ts";
import type { Api, ClientTool, JsonRepairResult, LeakReport, RepairOptions } from "./types.ts";

const READERS = {
  anthropic: messagesJson,
  chat: chatJson,
  responses: responsesJson,
  gemini: geminiJson,
  ollama: ollamaJson,
} as const;

/**
 * Repairs the native calls of a complete response and turns its leaked calls into tool calls. Everything else is copied
 * byte for byte, including key order and number formatting. `parsed` is the parsed source, if the caller has it.
 */
export function repairJsonResponse(
  api: Api,
  source: string,
  options: RepairOptions,
  parsed?: unknown,
): JsonRepairResult {
  const body = parsed ?? parseJsonBody(source);
  if (!isObject(body)) return { kind: "unchanged" };
  const { calls: native, ignoresLeaks } = options;
  const checked: RepairedCalls =
    native === undefined ? { text: source, reports: [] } : repairJsonCalls(api, source, body, options, native);
  const hasChanged = checked.text !== source;
  const current = hasChanged ? parseJsonBody(checked.text) : body;
  if (!isObject(current)) throw new Error("The repaired response is not JSON");
  const { turns, write } = ignoresLeaks === true ? NO_TURNS : READERS[api](current, turnContext(api, options));
  const leaks = turns.flatMap(({ reports }) => reports);
  const callReports = checked.reports;
  const isRewritten = turns.some(({ isRepaired: isMended, isRenamed }) => isMended || isRenamed);
  if (!isRewritten && !hasChanged)
    return leaks.length + callReports.length === 0 ? { kind: "unchanged" } : { kind: "left", leaks, callReports };
  const text = isRewritten ? write(checked.text) : checked.text;
  return { kind: "repaired", text, calls: turns.flatMap(({ calls }) => calls), leaks, callReports };
}

const NO_TURNS: { readonly turns: readonly RepairTurn[]; readonly write: (source: string) => string } = {
  turns: [],
  write: (source) => source,
};

/** Finds the leaks in a text that is not rewritten. */
export function observeText(api: Api, text: string, options: RepairOptions): readonly LeakReport[] {
  const turn = new RepairTurn(turnContext(api, options));
  turn.newSegment().push(text);
  turn.end();
  return turn.reports;
}

export function turnContext(api: Api, options: RepairOptions): TurnContext {
  return new ResponseContext(api, options);
}

class ResponseContext implements TurnContext {
  readonly api: Api;
  readonly options: RepairOptions;
  readonly ids: CallIds;
  #tools: ReadonlyMap<string, ClientTool> | undefined;

  constructor(api: Api, options: RepairOptions) {
    this.api = api;
    this.options = options;
    this.ids = new CallIds(api, options);
  }

  /** Created lazily: responses without text do not need it. */
  get tools(): ReadonlyMap<string, ClientTool> {
    this.#tools ??= new Map(this.options.tools.map((tool) => [tool.name, tool]));
    return this.#tools;
  }
}
