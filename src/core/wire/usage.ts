import { readTokenUsage, type TokenUsage, tokenCount } from "../model/token-usage.ts";
import { type Fields, isObject } from "./json.ts";

/** The counts of a Messages response. A stream reports them in two events: later counts are never smaller. */
export type MessagesCounts = Readonly<Partial<Record<(typeof MESSAGES_COUNTS)[number], number>>>;

const MESSAGES_COUNTS = [
  "input_tokens",
  "output_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
] as const;

/** Adds the counts of an event to those of earlier events. */
export function addMessagesCounts(before: MessagesCounts, usage: unknown): MessagesCounts {
  if (!isObject(usage)) return before;
  const counts: Record<string, number> = { ...before };
  for (const name of MESSAGES_COUNTS) {
    const value = tokenCount(usage[name]);
    if (value !== undefined) counts[name] = Math.max(value, before[name] ?? 0);
  }
  return counts;
}

/** The Messages API counts only the uncached part as input. */
export function messagesUsage(usage: unknown): TokenUsage {
  const counts = addMessagesCounts({}, usage);
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = counts;
  const cached = (cache_read_input_tokens ?? 0) + (cache_creation_input_tokens ?? 0);
  return readTokenUsage({
    input_tokens: input_tokens === undefined ? undefined : input_tokens + cached,
    output_tokens,
    cached_tokens: cache_read_input_tokens,
    cache_write_tokens: cache_creation_input_tokens,
  });
}

/**
 * Reads the usage of a Chat response. Some servers do not include reasoning in the output; their total reveals that.
 */
export function chatUsage(usage: unknown): TokenUsage {
  if (!isObject(usage)) return {};
  const [input, output] = [tokenCount(usage.prompt_tokens), tokenCount(usage.completion_tokens)];
  const reasoning = tokenCount(detailsOf(usage.completion_tokens_details).reasoning_tokens);
  const isBeside =
    input !== undefined &&
    output !== undefined &&
    reasoning !== undefined &&
    reasoning > 0 &&
    usage.total_tokens === input + output + reasoning;
  return readTokenUsage({
    input_tokens: input,
    output_tokens: isBeside ? output + reasoning : output,
    cached_tokens: detailsOf(usage.prompt_tokens_details).cached_tokens,
    reasoning_tokens: reasoning,
  });
}

export function responsesUsage(usage: unknown): TokenUsage {
  if (!isObject(usage)) return {};
  return readTokenUsage({
    input_tokens: usage.input_tokens,
    output_tokens: usage.output_tokens,
    cached_tokens: detailsOf(usage.input_tokens_details).cached_tokens,
    reasoning_tokens: detailsOf(usage.output_tokens_details).reasoning_tokens,
  });
}

/** Reads the usage of a Gemini response, which counts thoughts beside the output. */
export function geminiUsage(usage: Fields): TokenUsage {
  const count = (name: string): number | undefined => tokenCount(usage[name]);
  const [output, thoughts] = [count("candidatesTokenCount"), count("thoughtsTokenCount")];
  const [prompt, toolPrompt] = [count("promptTokenCount"), count("toolUsePromptTokenCount")];
  return readTokenUsage({
    input_tokens: prompt === undefined ? undefined : prompt + (toolPrompt ?? 0),
    output_tokens: output === undefined && thoughts === undefined ? undefined : (output ?? 0) + (thoughts ?? 0),
    cached_tokens: count("cachedContentTokenCount"),
    reasoning_tokens: thoughts,
  });
}

/** Reads the usage of an Ollama response: the counts of its last line. */
export function ollamaUsage(response: Fields): TokenUsage {
  return readTokenUsage({ input_tokens: response.prompt_eval_count, output_tokens: response.eval_count });
}

/** Reads the usage that Codex writes into its rollouts: that of the Responses API, with other names. */
export function codexUsage(usage: unknown): TokenUsage {
  if (!isObject(usage)) return {};
  return readTokenUsage({
    input_tokens: usage.input_tokens,
    output_tokens: usage.output_tokens,
    cached_tokens: usage.cached_input_tokens,
    reasoning_tokens: usage.reasoning_output_tokens,
  });
}

function detailsOf(details: unknown): Fields {
  return isObject(details) ? details : {};
}

const READERS = { anthropic: messagesUsage, chat: chatUsage, responses: responsesUsage } as const;

/** Reads the usage of a response. */
export function usageOf(api: keyof typeof READERS, usage: unknown): TokenUsage {
  return READERS[api](usage);
}
