import type { Json } from "../../../../src/core/model/tool-call.ts";
import { arrayOf, objectOf, textOf } from "../json.ts";
import type { ParsedRequest } from "../parsed-request.ts";
import { ANTHROPIC_CALL_RULES, TOOL_NAME } from "./anthropic-calls.ts";
import { blocksOf, conversationMessages, type PlacedBlock, placedMessages, resultIdsOf } from "./anthropic-history.ts";
import { firstProblem, type Problem, type Rule, repeated } from "./rule.ts";

/** Anthropic's rules, in the order in which they are checked: shape first, then texts, then calls and results. */
export const ANTHROPIC_MESSAGES_RULES: readonly Rule[] = [
  { name: "model-required", check: modelRequired },
  { name: "max-tokens-required", check: maxTokensRequired },
  { name: "messages-required", check: messagesRequired },
  { name: "known-roles", check: knownRoles },
  { name: "first-message-from-user", check: firstMessageFromUser },
  { name: "content-not-empty", check: contentNotEmpty },
  { name: "no-empty-text", check: noEmptyText },
  { name: "no-blank-text", check: noBlankText },
  { name: "no-trailing-space-in-prefill", check: noTrailingSpaceInPrefill },
  { name: "thinking-signed", check: thinkingSigned },
  { name: "thinking-before-calls", check: thinkingBeforeCalls },
  { name: "blocks-by-role", check: blocksByRole },
  ...ANTHROPIC_CALL_RULES,
  { name: "tool-name-pattern", check: toolNamePattern },
  { name: "tool-names-unique", check: toolNamesUnique },
];

function modelRequired({ model }: ParsedRequest): Problem | undefined {
  return model === "" ? { message: "model: Field required" } : undefined;
}

function maxTokensRequired({ body, operation }: ParsedRequest): Problem | undefined {
  if (operation === "count-tokens" || typeof body.max_tokens === "number") return undefined;
  return { message: "max_tokens: Field required" };
}

function messagesRequired({ body }: ParsedRequest): Problem | undefined {
  if (!Array.isArray(body.messages)) return { message: "messages: Field required" };
  return body.messages.length === 0 ? { message: "messages: at least one message is required" } : undefined;
}

function knownRoles(request: ParsedRequest): Problem | undefined {
  return firstProblem(placedMessages(request), ({ index, role }) =>
    role === "user" || role === "assistant" || role === "system"
      ? undefined
      : { message: `messages.${index}.role: Input should be 'user', 'assistant' or 'system'` },
  );
}

function firstMessageFromUser(request: ParsedRequest): Problem | undefined {
  return conversationMessages(request)[0]?.role === "assistant"
    ? { message: 'messages: first message must use the "user" role' }
    : undefined;
}

function contentNotEmpty(request: ParsedRequest): Problem | undefined {
  const last = request.messages.length - 1;
  return firstProblem(placedMessages(request), ({ index, role, content }) => {
    if (content === undefined || content === null) return { message: `messages.${index}.content: Field required` };
    if (typeof content !== "string" && !Array.isArray(content)) {
      return { message: `messages.${index}.content: Input should be a valid list` };
    }
    if (content.length > 0 || (index === last && role === "assistant")) return undefined;
    return {
      message: `messages.${index}: all messages must have non-empty content except for the optional final assistant message`,
    };
  });
}

interface PlacedText {
  readonly place: "system" | "messages";
  readonly text: string;
  readonly inResult: boolean;
}

/** Text blocks of system prompt, messages and tool results. */
function textBlocks(request: ParsedRequest): PlacedText[] {
  const texts = (blocks: Json | undefined, place: PlacedText["place"], inResult: boolean): PlacedText[] =>
    arrayOf(blocks)
      .map(objectOf)
      .filter((block) => block.type === "text")
      .map((block) => ({ place, text: textOf(block.text), inResult }));
  return [
    ...texts(request.body.system, "system", false),
    ...placedMessages(request).flatMap(({ content }) => texts(content, "messages", false)),
    ...blocksOf(request, "tool_result").flatMap(({ block }) => texts(block.content, "messages", true)),
  ];
}

function noEmptyText(request: ParsedRequest): Problem | undefined {
  return firstProblem(textBlocks(request), ({ place, text }) =>
    text === "" ? { message: `${place}: text content blocks must be non-empty` } : undefined,
  );
}

function noBlankText(request: ParsedRequest): Problem | undefined {
  const blank = { message: "messages: text content blocks must contain non-whitespace text" };
  const isBlank = (text: string) => text !== "" && text.trim() === "";
  // Tools may print only a line end: inside results only an empty text is rejected.
  if (textBlocks(request).some(({ text, inResult }) => !inResult && isBlank(text))) return blank;
  const contents = placedMessages(request).map(({ content }) => content);
  return contents.some((content) => typeof content === "string" && isBlank(content)) ? blank : undefined;
}

function noTrailingSpaceInPrefill(request: ParsedRequest): Problem | undefined {
  const last = conversationMessages(request).at(-1);
  if (last?.role !== "assistant") return undefined;
  const block = last.blocks.at(-1);
  const text = typeof last.content === "string" ? last.content : block?.type === "text" ? textOf(block.block.text) : "";
  return text === text.trimEnd()
    ? undefined
    : { message: "messages: final assistant content cannot end with trailing whitespace" };
}

function thinkingSigned(request: ParsedRequest): Problem | undefined {
  return firstProblem(blocksOf(request, "thinking"), ({ path, block }) =>
    typeof block.signature === "string" ? undefined : { message: `${path}.thinking.signature: Field required` },
  );
}

/** With extended thinking, an unfinished turn must start with its thinking. */
function thinkingBeforeCalls(request: ParsedRequest): Problem | undefined {
  if (objectOf(request.body.thinking).type !== "enabled") return undefined;
  const spoken = conversationMessages(request);
  const goesOn = resultIdsOf(spoken.at(-1)).length > 0;
  const first = goesOn ? spoken.at(-2)?.blocks[0] : undefined;
  if (first === undefined || first.type === "thinking" || first.type === "redacted_thinking") return undefined;
  return {
    message: `${first.path}.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`,
  };
}

function blocksByRole(request: ParsedRequest): Problem | undefined {
  const misplaced = (type: string, role: string) => (placed: PlacedBlock) =>
    placed.role === role
      ? undefined
      : { message: `${placed.path}: \`${type}\` blocks can only be in \`${role}\` messages` };
  return (
    firstProblem(blocksOf(request, "tool_use"), misplaced("tool_use", "assistant")) ??
    firstProblem(blocksOf(request, "tool_result"), misplaced("tool_result", "user"))
  );
}

function toolNamePattern({ tools }: ParsedRequest): Problem | undefined {
  return firstProblem(tools.entries(), ([index, tool]) =>
    TOOL_NAME.test(textOf(objectOf(tool).name)) || objectOf(tool).name === undefined
      ? undefined
      : { message: `tools.${index}.custom.name: String should match pattern '${TOOL_NAME.source}'` },
  );
}

function toolNamesUnique({ tools }: ParsedRequest): Problem | undefined {
  const names = tools.map((tool) => objectOf(tool).name).filter((name) => name !== undefined);
  return repeated(names).length === 0 ? undefined : { message: "tools: Tool names must be unique." };
}
