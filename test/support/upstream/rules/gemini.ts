import type { Json } from "../../../../src/core/model/tool-call.ts";
import { arrayOf, isObject, objectOf, textOf } from "../json.ts";
import type { ParsedRequest } from "../parsed-request.ts";
import { firstProblem, type Rule } from "./rule.ts";

function partsOf(content: Json | undefined): readonly Json[] {
  return arrayOf(objectOf(content).parts);
}

function count(content: Json | undefined, field: string): number {
  return partsOf(content).filter((part) => isObject(objectOf(part)[field])).length;
}

/** Consecutive contents of one role, joined. */
function turnsOf({ messages }: ParsedRequest): { role: string; contents: Json[] }[] {
  const turns: { role: string; contents: Json[] }[] = [];
  for (const content of messages) {
    const role = textOf(objectOf(content).role);
    const last = turns.at(-1);
    if (last?.role === role) last.contents.push(content);
    else turns.push({ role, contents: [content] });
  }
  return turns;
}

/** Rules of Google's API that a changed history could break. */
export const GEMINI_RULES: readonly Rule[] = [
  {
    name: "contents-have-parts",
    check: ({ messages }) =>
      messages.length === 0
        ? { message: "* GenerateContentRequest.contents: contents is not specified" }
        : firstProblem(messages, (content) =>
            partsOf(content).length === 0 || partsOf(content).some((part) => Object.keys(objectOf(part)).length === 0)
              ? { message: "* GenerateContentRequest.contents: contents.parts must not be empty." }
              : undefined,
          ),
  },
  {
    name: "arguments-are-objects",
    check: ({ messages }) =>
      firstProblem(messages.flatMap(partsOf), (part) => {
        const call = objectOf(part).functionCall;
        return call !== undefined && !isObject(objectOf(call).args)
          ? {
              message:
                'Invalid value at "contents.parts.function_call.args" (type.googleapis.com/google.protobuf.Struct)',
            }
          : undefined;
      }),
  },
  {
    name: "as-many-responses-as-calls",
    check: (request) => {
      const turns = turnsOf(request);
      return firstProblem(turns.entries(), ([at, { role, contents }]) => {
        if (role !== "model") return undefined;
        const calls = contents.reduce<number>((sum, content) => sum + count(content, "functionCall"), 0);
        const results = (turns[at + 1]?.contents ?? []).reduce<number>(
          (sum, one) => sum + count(one, "functionResponse"),
          0,
        );
        return calls === results || at === turns.length - 1
          ? undefined
          : {
              message:
                "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
            };
      });
    },
  },
  {
    name: "first-call-is-signed",
    check: (request) => {
      if (!/gemini-[3-9]/.test(request.model)) return undefined;
      return firstProblem(turnsOf(request), ({ role, contents }) => {
        const first = contents.flatMap(partsOf).find((part) => isObject(objectOf(part).functionCall));
        return role === "model" && first !== undefined && textOf(objectOf(first).thoughtSignature) === ""
          ? { message: "Function call is missing a thought_signature in functionCall parts." }
          : undefined;
      });
    },
  },
];
