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
 * Makes the leaked calls of a whole answer calls. Only what is mended changes; everything else is the text it was, down to the order of keys
 * and the writing of numbers. `parsed`: what the source says, where somebody knows it.
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

/** The leaks in a text that nobody changes. */
export function observeText(api: Api, text: string, options: RepairOptions): readonly LeakReport[] {
  const turn = new RepairTurn(turnContext(api, options));
  turn.newSegment().push(text);
  turn.end();
  return turn.reports;
}

export function turnContext(api: Api, options: RepairOptions): TurnContext {
  return new AnswerContext(api, options);
}

class AnswerContext implements TurnContext {
  readonly api: Api;
  readonly options: RepairOptions;
  readonly ids: CallIds;
  #tools: ReadonlyMap<string, ClientTool> | undefined;

  constructor(api: Api, options: RepairOptions) {
    this.api = api;
    this.options = options;
    this.ids = new CallIds(api, options);
  }

  /** Asked for by the first text. */
  get tools(): ReadonlyMap<string, ClientTool> {
    this.#tools ??= new Map(this.options.tools.map((tool) => [tool.name, tool]));
    return this.#tools;
  }
}
