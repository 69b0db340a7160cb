import type { LanguageModelMiddleware } from "ai";
import type { LeakReport, RepairMode } from "../../core/repair/index.ts";
import { turnContext } from "../../core/repair/json-response.ts";
import type { TurnContext } from "../../core/repair/repair-turn.ts";
import { bufferedStream } from "../buffered-stream.ts";
import { attempt } from "../support.ts";
import type { CallOptions, Model } from "./model-types.ts";
import { PartRepairer } from "./part-repairer.ts";
import { apiOfModel, readCallOptions } from "./read-call-options.ts";
import { repairGenerated } from "./repair-generated.ts";

/** Where a leak was found. */
export interface LeakContext {
  readonly provider: string;
  readonly model: string;
}

export interface MendMiddlewareOptions {
  /** `known` by default: only tools that the call declares are called. */
  readonly mode?: RepairMode;
  /** Names of the tools that may be called, `*` stands for anything; all by default. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** The largest text of one call that is held back, in UTF-16 units; 1 Mi by default. */
  readonly maxCandidateChars?: number;
  /** Leaves a command that occurs in a user message or a tool result also where it is plain text there; off by default. */
  readonly strictCommands?: boolean;
  /** Told of every leak when its turn is over: what became of it, and why if it stayed text. */
  readonly onLeak?: (leak: LeakReport, place: LeakContext) => void;
}

/**
 * Middleware of the Vercel AI SDK that makes tool calls of those that a model wrote as text, whatever provider it comes from.
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
  const tell = (leaks: readonly LeakReport[], { provider, modelId }: Model): void => {
    for (const leak of leaks) attempt(() => onLeak?.(leak, { provider, model: modelId }));
  };
  return {
    specificationVersion: "v4",
    async wrapGenerate({ doGenerate, params, model }) {
      const answer = await doGenerate();
      const context = contextOf(params, model);
      const mended = context && attempt(() => repairGenerated(answer, context));
      tell(mended?.leaks ?? [], model);
      return mended?.answer ?? answer;
    },
    async wrapStream({ doStream, params, model }) {
      const answer = await doStream();
      const context = contextOf(params, model);
      if (context === undefined) return answer;
      const mender = new PartRepairer(context, (leaks) => tell(leaks, model));
      return { ...answer, stream: bufferedStream(answer.stream, mender) };
    },
  };
}
