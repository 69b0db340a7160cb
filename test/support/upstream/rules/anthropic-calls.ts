import { isObject, textOf } from "../json.ts";
import type { ParsedRequest } from "../parsed-request.ts";
import { blocksOf, callIdsOf, conversationMessages, type PlacedMessage, resultIdsOf } from "./anthropic-history.ts";
import { firstProblem, type Problem, type Rule, repeated } from "./rule.ts";

const ID = /^[a-zA-Z0-9_-]+$/;

/** A tool's name, declared or called. */
export const TOOL_NAME: RegExp = /^[a-zA-Z0-9_-]{1,128}$/;

/** Anthropic's rules for calls and their results. */
export const ANTHROPIC_CALL_RULES: readonly Rule[] = [
  { name: "call-id-pattern", check: callIdPattern },
  { name: "call-name-pattern", check: callNamePattern },
  { name: "call-input-object", check: callInputObject },
  { name: "call-ids-unique", check: callIdsUnique },
  { name: "results-first", check: resultsFirst },
  { name: "results-have-calls", check: resultsHaveCalls },
  { name: "calls-have-results", check: callsHaveResults },
  { name: "calls-answered-once", check: callsHaveOneResult },
];

function callIdPattern(request: ParsedRequest): Problem | undefined {
  const wrong = (path: string, id: unknown) =>
    typeof id === "string" && ID.test(id)
      ? undefined
      : { message: `${path}: String should match pattern '${ID.source}'` };
  return (
    firstProblem(blocksOf(request, "tool_use"), ({ path, block }) => wrong(`${path}.tool_use.id`, block.id)) ??
    firstProblem(blocksOf(request, "tool_result"), ({ path, block }) =>
      wrong(`${path}.tool_result.tool_use_id`, block.tool_use_id),
    )
  );
}

function callNamePattern(request: ParsedRequest): Problem | undefined {
  return firstProblem(blocksOf(request, "tool_use"), ({ path, block }) =>
    TOOL_NAME.test(textOf(block.name))
      ? undefined
      : { message: `${path}.tool_use.name: String should match pattern '${TOOL_NAME.source}'` },
  );
}

function callInputObject(request: ParsedRequest): Problem | undefined {
  return firstProblem(blocksOf(request, "tool_use"), ({ path, block }) =>
    isObject(block.input) ? undefined : { message: `${path}.tool_use.input: Input should be a valid dictionary` },
  );
}

function callIdsUnique(request: ParsedRequest): Problem | undefined {
  const ids = blocksOf(request, "tool_use").map(({ block }) => textOf(block.id));
  return repeated(ids).length === 0 ? undefined : { message: "messages: `tool_use` ids must be unique" };
}

/** Every conversation message with the one before it. */
function pairs(
  request: ParsedRequest,
): { readonly before: PlacedMessage | undefined; readonly message: PlacedMessage }[] {
  const spoken = conversationMessages(request);
  return spoken.map((message, place) => ({ before: spoken[place - 1], message }));
}

function resultsFirst(request: ParsedRequest): Problem | undefined {
  return firstProblem(pairs(request), ({ before, message }) => {
    const other = message.blocks.findIndex((block) => block.type !== "tool_result");
    if (other < 0 || !message.blocks.slice(other).some((block) => block.type === "tool_result")) return undefined;
    // The provider reports late results as missing. Results without calls are covered by another rule.
    return before === undefined || callIdsOf(before).length === 0
      ? undefined
      : missingResults(before, callIdsOf(before));
  });
}

function resultsHaveCalls(request: ParsedRequest): Problem | undefined {
  return firstProblem(pairs(request), ({ before, message }) => {
    const calls = new Set(callIdsOf(before));
    return firstProblem(message.blocks, ({ type, path, block }) =>
      type !== "tool_result" || calls.has(textOf(block.tool_use_id))
        ? undefined
        : {
            message: `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${textOf(block.tool_use_id)}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
          },
    );
  });
}

function callsHaveResults(request: ParsedRequest): Problem | undefined {
  const spoken = conversationMessages(request);
  return firstProblem(spoken.entries(), ([place, message]) => {
    const results = new Set(resultIdsOf(spoken[place + 1]));
    const missing = callIdsOf(message).filter((id) => !results.has(id));
    return missing.length === 0 ? undefined : missingResults(message, missing);
  });
}

function missingResults(message: PlacedMessage, ids: readonly string[]): Problem {
  return {
    message: `messages.${message.index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  };
}

function callsHaveOneResult(request: ParsedRequest): Problem | undefined {
  return firstProblem(conversationMessages(request), (message) =>
    firstProblem(repeated(resultIdsOf(message)), (id) => ({
      message: `messages.${message.index}.content: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
    })),
  );
}
