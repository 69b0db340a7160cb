import { isObject, parseJson } from "../wire/json.ts";
import { CallIds } from "./call-ids.ts";
import { chatJson } from "./json/chat-json.ts";
import { messagesJson } from "./json/messages-json.ts";
import { responsesJson } from "./json/responses-json.ts";
import type { TurnContext } from "./repair-turn.ts";
import { RepairTurn } from "./repair-turn.ts";
import type { Api, ClientTool, JsonRepairResult, LeakReport, RepairOptions } from "./types.ts";

const READERS = { anthropic: messagesJson, chat: chatJson, responses: responsesJson } as const;

/**
 * Turns the leaked calls of a complete response into tool calls. Everything else is copied byte for byte, including key
 * order and number formatting. `parsed` is the parsed source, if the caller has it.
 */
export function repairJsonResponse(
  api: Api,
  source: string,
  options: RepairOptions,
  parsed?: unknown,
): JsonRepairResult {
  const body = parsed ?? parseJson(source);
  if (!isObject(body)) return { kind: "unchanged" };
  const { turns, write } = READERS[api](body, turnContext(api, options));
  const leaks = turns.flatMap(({ reports }) => reports);
  if (!turns.some(({ isRepaired: isMended, isRenamed }) => isMended || isRenamed))
    return leaks.length === 0 ? { kind: "unchanged" } : { kind: "left", leaks };
  return { kind: "repaired", text: write(source), calls: turns.flatMap(({ calls }) => calls), leaks };
}

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
