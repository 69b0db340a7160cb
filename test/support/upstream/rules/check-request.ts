import type { Api, ParsedRequest } from "../parsed-request.ts";
import { ANTHROPIC_MESSAGES_RULES } from "./anthropic-messages.ts";
import { GEMINI_RULES } from "./gemini.ts";
import { OLLAMA_RULES } from "./ollama.ts";
import { OPENAI_CHAT_RULES } from "./openai-chat.ts";
import { OPENAI_RESPONSES_RULES } from "./openai-responses.ts";
import type { Problem, Rule } from "./rule.ts";

export const RULES: { readonly [api in Api]: readonly Rule[] } = {
  "anthropic-messages": ANTHROPIC_MESSAGES_RULES,
  "openai-chat": OPENAI_CHAT_RULES,
  "openai-responses": OPENAI_RESPONSES_RULES,
  gemini: GEMINI_RULES,
  ollama: OLLAMA_RULES,
};

/** A rule and how a request breaks it. */
export interface Violation {
  readonly rule: string;
  readonly problem: Problem;
}

/** The first rule of its API that a request breaks. */
export function checkRequest(request: ParsedRequest): Violation | undefined {
  for (const { name, check } of RULES[request.api]) {
    const problem = check(request);
    if (problem !== undefined) return { rule: name, problem };
  }
  return undefined;
}
