import type { LanguageModelMiddleware } from "ai";
import { type Checks, callback, checkOptions, flag } from "../../agent/check-options.ts";
import { ignoreErrors } from "../../agent/ignore-errors.ts";
import {
  type CallRepairMode,
  type CallReport,
  followedMode,
  type LeakReport,
  type RepairMode,
} from "../../core/repair/index.ts";
import { turnContext } from "../../core/repair/json-response.ts";
import type { TurnContext } from "../../core/repair/repair-turn.ts";
import { bufferedStream } from "../buffered-stream.ts";
import { REPAIR_CHECKS } from "../repair-checks.ts";
import { attempt } from "../support.ts";
import { PartRepairer } from "./part-repairer.ts";
import { apiOfModel, readCallOptions } from "./read-call-options.ts";
import type { CallOptions, Generated, Model, StreamPart } from "./repair-generated.ts";
import { repairGenerated } from "./repair-generated.ts";
import {
  askAgain,
  callableTools,
  isCall,
  type Response,
  type SecondChanceReport,
  StreamedContent,
  secondChanceStream,
} from "./second-chance.ts";

/** Where a leak was found. */
export interface LeakContext {
  readonly provider: string;
  readonly model: string;
}

export interface MendMiddlewareOptions {
  /** `known` by default: repairs only calls of tools that the request declares. */
  readonly mode?: RepairMode;
  /** Names of the tools that may be called; `*` matches anything. All by default. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** Maximum length of the text of one call that is buffered, in UTF-16 code units; 1 Mi by default. */
  readonly maxCandidateChars?: number;
  /** Does not repair a command that occurs in a user message or a tool result, even as plain text; off by default. */
  readonly strictCommands?: boolean;
  /** Whether native calls that do not fit their schemas are repaired; by default where leaks are. */
  readonly calls?: CallRepairMode;
  /**
   * Asks the model again if no call of its response can work: unknown tools, missing parameters, unreadable
   * arguments. Costs one more request each; off by default.
   */
  readonly secondChance?: boolean;
  /** Called when the model was asked again. */
  readonly onSecondChance?: (report: SecondChanceReport, place: LeakContext) => void;
  /** Called for every leak when its turn ends, with its result and the reason if it was not repaired. */
  readonly onLeak?: (leak: LeakReport, place: LeakContext) => void;
  /** Called for every native call that was repaired or does not fit, when its response ends. */
  readonly onCall?: (call: CallReport, place: LeakContext) => void;
}

const CHECKS: Checks<keyof MendMiddlewareOptions> = { ...REPAIR_CHECKS, secondChance: flag, onSecondChance: callback };

/**
 * Middleware for the Vercel AI SDK that turns tool calls written as text into real ones, for models of any provider.
 *
 * @example
 * const model = wrapLanguageModel({ model: ollama("qwen3"), middleware: mendMiddleware() });
 */
export function mendMiddleware(options: MendMiddlewareOptions = {}): LanguageModelMiddleware {
  checkOptions("mendMiddleware", options, CHECKS);
  const { mode = "known", calls = followedMode(mode), ...others } = options;
  const { onLeak, onCall, secondChance = false, onSecondChance, ...limits } = others;
  const settings = { mode, calls: { mode: calls }, ...limits };
  const contextOf = (params: CallOptions, model: Model): TurnContext | undefined =>
    attempt(() => {
      const options = readCallOptions(params, model, settings);
      return options && turnContext(apiOfModel(model), options);
    });
  const report = (leaks: readonly LeakReport[], reports: readonly CallReport[], { provider, modelId }: Model): void => {
    const context = { provider, model: modelId };
    for (const leak of leaks) ignoreErrors(() => onLeak?.(leak, context));
    for (const call of reports) ignoreErrors(() => onCall?.(call, context));
  };
  const tell =
    ({ provider, modelId }: Model) =>
    (told: SecondChanceReport): void => {
      ignoreErrors(() => onSecondChance?.(told, { provider, model: modelId }));
    };
  return {
    specificationVersion: "v4",
    async wrapGenerate({ doGenerate, params, model }) {
      const result = await doGenerate();
      const context = contextOf(params, model);
      const repaired = context && attempt(() => repairGenerated(result, context));
      report(repaired?.leaks ?? [], repaired?.callReports ?? [], model);
      const first = repaired?.result ?? result;
      const tools = secondChance ? attempt(() => callableTools(params, model)) : undefined;
      if (tools === undefined) return first;
      const ask = async (again: CallOptions): Promise<Generated> => {
        const second = await model.doGenerate(again);
        return (context && attempt(() => repairGenerated(second, context))?.result) ?? second;
      };
      const second = await askAgain(first, params, tools, ask, tell(model));
      if (second === undefined) return first;
      return { ...first, ...second, content: [...first.content.filter((part) => !isCall(part)), ...second.content] };
    },
    async wrapStream({ doStream, params, model }) {
      const result = await doStream();
      const context = contextOf(params, model);
      const repaired = (stream: ReadableStream<StreamPart>): ReadableStream<StreamPart> =>
        context === undefined
          ? stream
          : bufferedStream(stream, new PartRepairer(context, (leaks, reports) => report(leaks, reports, model)));
      const stream = repaired(result.stream);
      const tools = secondChance ? attempt(() => callableTools(params, model)) : undefined;
      if (tools === undefined) return { ...result, stream };
      const ask = async (again: CallOptions): Promise<Response> => {
        const content = new StreamedContent();
        for await (const part of repaired((await model.doStream(again)).stream)) content.push(part);
        const second = content.end();
        if (second === undefined) throw new Error("The second response was cut off.");
        return second;
      };
      return {
        ...result,
        stream: secondChanceStream(stream, tools, (first) => askAgain(first, params, tools, ask, tell(model))),
      };
    },
  };
}
