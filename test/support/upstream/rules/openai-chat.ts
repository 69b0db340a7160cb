import { objectOf, textOf } from "../json.ts";
import type { ParsedRequest } from "../parsed-request.ts";
import { exchanges, placedCalls, placedMessages } from "./openai-chat-history.ts";
import { nameProblem, stringProblem, wrongType, wrongValue } from "./openai-messages.ts";
import { firstProblem, type Problem, type Rule, repeated } from "./rule.ts";

const ROLES = ["system", "assistant", "user", "function", "tool", "developer"];
const OPENAI_ID_LENGTH = 40;
const OPENAI_NAME_LENGTH = 64;
const MISTRAL_ID = /^[a-zA-Z0-9]{9}$/;

/** OpenAI's rules for Chat Completions, in the order in which they are checked. */
export const OPENAI_CHAT_RULES: readonly Rule[] = [
  { name: "model-required", check: modelRequired },
  { name: "messages-required", check: messagesRequired },
  { name: "known-roles", check: knownRoles },
  { name: "content-present", check: contentPresent },
  { name: "calls-not-empty", check: callsNotEmpty },
  { name: "call-id-present", check: callIdPresent },
  { name: "call-id-length", check: callIdLength },
  { name: "call-id-mistral", check: callIdMistral },
  { name: "call-name-pattern", check: callNamePattern },
  { name: "call-arguments-string", check: callArgumentsString },
  { name: "call-ids-unique", check: callIdsUnique },
  { name: "results-have-calls", check: resultsHaveCalls },
  { name: "calls-answered-once", check: callsHaveOneResult },
  { name: "calls-have-results", check: callsHaveResults },
  { name: "tool-name-pattern", check: toolNamePattern },
];

function modelRequired({ body }: ParsedRequest): Problem | undefined {
  return textOf(body.model) === "" ? { message: "you must provide a model parameter" } : undefined;
}

function messagesRequired({ body }: ParsedRequest): Problem | undefined {
  if (!Array.isArray(body.messages)) return wrongType("messages", "an array of objects", body.messages);
  if (body.messages.length > 0) return undefined;
  return {
    message:
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    param: "messages",
    code: "empty_array",
  };
}

function knownRoles(request: ParsedRequest): Problem | undefined {
  return firstProblem(placedMessages(request), ({ index, role }) =>
    ROLES.includes(role) ? undefined : wrongValue(`messages[${index}].role`, role, ROLES),
  );
}

function contentPresent(request: ParsedRequest): Problem | undefined {
  return firstProblem(placedMessages(request), ({ index, role, message }) => {
    const { content } = message;
    if (typeof content === "string" || Array.isArray(content)) return undefined;
    const hasOtherContent = ["tool_calls", "function_call", "refusal", "audio"].some((key) => message[key] != null);
    if (role === "assistant" && hasOtherContent && (content === null || content === undefined)) return undefined;
    return {
      message: `Invalid value for 'content': expected a string, got ${content === undefined ? "null" : JSON.stringify(content)}.`,
      param: `messages.[${index}].content`,
    };
  });
}

function callsNotEmpty(request: ParsedRequest): Problem | undefined {
  return firstProblem(placedMessages(request), ({ index, message }) => {
    const { tool_calls: calls } = message;
    const path = `messages[${index}].tool_calls`;
    if (calls === undefined || calls === null) return undefined;
    if (!Array.isArray(calls)) return wrongType(path, "an array of objects", calls);
    if (calls.length > 0) return undefined;
    return {
      message: `Invalid '${path}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
      param: path,
      code: "empty_array",
    };
  });
}

function callIdPresent(request: ParsedRequest): Problem | undefined {
  return (
    firstProblem(placedCalls(request), ({ path, id }) => stringProblem(`${path}.id`, id, Number.POSITIVE_INFINITY)) ??
    firstProblem(placedMessages(request), ({ index, role, message }) =>
      role === "tool"
        ? stringProblem(`messages[${index}].tool_call_id`, message.tool_call_id, Number.POSITIVE_INFINITY)
        : undefined,
    )
  );
}

function callIdLength(request: ParsedRequest): Problem | undefined {
  if (request.flavor !== "openai") return undefined;
  return firstProblem(placedCalls(request), ({ path, id }) => stringProblem(`${path}.id`, id, OPENAI_ID_LENGTH));
}

function callIdMistral(request: ParsedRequest): Problem | undefined {
  if (request.flavor !== "mistral") return undefined;
  return firstProblem(placedCalls(request), ({ id }) =>
    MISTRAL_ID.test(textOf(id))
      ? undefined
      : { message: `Tool call id was ${textOf(id)} but must be a-z, A-Z, 0-9, with a length of 9.`, code: "3280" },
  );
}

function callNamePattern(request: ParsedRequest): Problem | undefined {
  return firstProblem(placedCalls(request), ({ path, call }) => {
    const key = call.type === "custom" ? "custom" : "function";
    return nameProblem(`${path}.${key}.name`, objectOf(call[key]).name, maximumName(request));
  });
}

function callArgumentsString(request: ParsedRequest): Problem | undefined {
  return firstProblem(placedCalls(request), ({ path, call }) => {
    const [key, field] = call.type === "custom" ? ["custom", "input"] : ["function", "arguments"];
    const value = objectOf(call[key])[field];
    return typeof value === "string" ? undefined : wrongType(`${path}.${key}.${field}`, "a string", value);
  });
}

function callIdsUnique(request: ParsedRequest): Problem | undefined {
  const groups =
    request.callIdsUniqueWithin === "conversation"
      ? [placedCalls(request)]
      : placedMessages(request).map(({ calls }) => calls);
  return firstProblem(groups, (calls) =>
    firstProblem(repeated(calls.map(({ id }) => textOf(id))), (id) => ({
      message: `Duplicate value for 'tool_call_id' of '${id}'`,
      param: "messages",
    })),
  );
}

function resultsHaveCalls(request: ParsedRequest): Problem | undefined {
  return firstProblem(exchanges(request), ({ callIds, results }) =>
    firstProblem(results, ({ index, id }) => {
      const param = `messages.[${index}].role`;
      if (callIds.length === 0) {
        return {
          message:
            "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          param,
        };
      }
      if (callIds.includes(id)) return undefined;
      return {
        message: `Invalid parameter: 'tool_call_id' of '${id}' not found in 'tool_calls' of previous message.`,
        param,
      };
    }),
  );
}

function callsHaveOneResult(request: ParsedRequest): Problem | undefined {
  return firstProblem(exchanges(request), ({ results }) => {
    const twice = repeated(results.map(({ id }) => id))[0];
    if (twice === undefined) return undefined;
    if (request.flavor === "mistral")
      return { message: "Not the same number of function calls and responses", code: "3230" };
    return {
      message: `Invalid parameter: 'tool_call_id' of '${twice}' was answered more than once.`,
      param: "messages",
    };
  });
}

function callsHaveResults(request: ParsedRequest): Problem | undefined {
  return firstProblem(exchanges(request), ({ index, callIds, results }) => {
    const missing = callIds.filter((id) => !results.some((result) => result.id === id));
    if (missing.length === 0) return undefined;
    if (request.flavor === "mistral")
      return { message: "Not the same number of function calls and responses", code: "3230" };
    return {
      message: `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${missing.join(", ")}`,
      param: `messages.[${index + results.length + 1}].role`,
    };
  });
}

function toolNamePattern(request: ParsedRequest): Problem | undefined {
  return firstProblem(request.tools.entries(), ([index, value]) => {
    const tool = objectOf(value);
    return tool.type === "function"
      ? nameProblem(`tools[${index}].function.name`, objectOf(tool.function).name, maximumName(request))
      : undefined;
  });
}

function maximumName({ flavor }: ParsedRequest): number {
  return flavor === "local" ? Number.POSITIVE_INFINITY : OPENAI_NAME_LENGTH;
}
