import { arrayOf, isObject, objectOf } from "../json.ts";
import { firstProblem, type Rule } from "./rule.ts";

/** Ollama reads requests into types and checks little else. */
export const OLLAMA_RULES: readonly Rule[] = [
  {
    name: "content-is-text",
    check: ({ messages }) =>
      firstProblem(messages, (message) => {
        const { content } = objectOf(message);
        return content === undefined || content === null || typeof content === "string"
          ? undefined
          : {
              message: "json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string",
            };
      }),
  },
  {
    name: "arguments-are-objects",
    check: ({ messages }) =>
      firstProblem(
        messages.flatMap((message) => arrayOf(objectOf(message).tool_calls)),
        (call) =>
          isObject(objectOf(objectOf(call).function).arguments)
            ? undefined
            : {
                message:
                  "json: cannot unmarshal string into Go struct field ToolCallFunction.messages.tool_calls.function.arguments of type map",
              },
      ),
  },
];
