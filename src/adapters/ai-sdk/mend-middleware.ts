import type { LanguageModelMiddleware } from "ai";
import type { LeakReport, RepairMode } from "../../core/repair/index.ts";
import { turnContext } from "../../core/repair/json-response.ts";
import type { TurnContext } from "../../core/repair/repair-turn.ts";
import { bufferedStream } from "../buffered-stream.ts";
import { attempt } from "../support.ts";
import { PartRepairer } from "./part-repairer.ts";
import { apiOfModel, readCallOptions } from "./read-call-options.ts";
import type { CallOptions, Model } from "./repair-generated.ts";
import { repairGenerated } from "./repair-generated.ts";

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
  /** Called for every leak when its turn ends, with its result and the reason if it was not repaired. */
  readonly onLeak?: (leak: LeakReport, place: LeakContext) => void;
}

/**
 * Middleware for the Vercel AI SDK that turns tool calls written as text into real ones, for models of any provider.
 *
 * @example
 * const model = wrapLanguageModel({ model: ollama("qwen3"), middleware: mendMiddleware() });
 */
export function mendMiddleware({
  mode = "known",
  onLeak,
  ...limits
}: MendMiddlewareOptions = {}): LanguageModelMiddleware {
  const settings = { mode, ...limits };
  const contextOf = (params: CallOptions, model: Model): TurnContext | undefined =>
    attempt(() => {
      const options = readCallOptions(params, model, settings);
      return options && turnContext(apiOfModel(model), options);
    });
  const report = (leaks: readonly LeakReport[], { provider, modelId }: Model): void => {
    for (const leak of leaks) attempt(() => onLeak?.(leak, { provider, model: modelId }));
  };
  return {
    specificationVersion: "v4",
    async wrapGenerate({ doGenerate, params, model }) {
      const result = await doGenerate();
      const context = contextOf(params, model);
      const repaired = context && attempt(() => repairGenerated(result, context));
      report(repaired?.leaks ?? [], model);
      return repaired?.result ?? result;
    },
    async wrapStream({ doStream, params, model }) {
      const result = await doStream();
      const context = contextOf(params, model);
      if (context === undefined) return result;
      const repairer = new PartRepairer(context, (leaks) => report(leaks, model));
      return { ...result, stream: bufferedStream(result.stream, repairer) };
    },
  };
}
