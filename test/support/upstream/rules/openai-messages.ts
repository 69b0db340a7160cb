/** Error messages that OpenAI's two APIs share. `path` is `messages[1].tool_calls[0].id`, as they name it. */
import type { Json } from "../../../../src/core/model/tool-call.ts";
import { typeName } from "../json.ts";
import type { Problem } from "./rule.ts";

export function wrongType(path: string, expected: string, value: Json | undefined): Problem {
  return value === undefined
    ? { message: `Missing required parameter: '${path}'.`, param: path, code: "missing_required_parameter" }
    : {
        message: `Invalid type for '${path}': expected ${expected}, but got ${typeName(value)} instead.`,
        param: path,
        code: "invalid_type",
      };
}

function emptyString(path: string): Problem {
  return {
    message: `Invalid '${path}': empty string. Expected a string with minimum length 1, but got an empty string instead.`,
    param: path,
    code: "empty_string",
  };
}

function tooLong(path: string, maximum: number, length: number): Problem {
  return {
    message: `Invalid '${path}': string too long. Expected a string with maximum length ${maximum}, but got a string with length ${length} instead.`,
    param: path,
    code: "string_above_max_length",
  };
}

function wrongPattern(path: string, pattern: RegExp): Problem {
  return {
    message: `Invalid '${path}': string does not match pattern. Expected a string that matches the pattern '${pattern.source}'.`,
    param: path,
    code: "invalid_value",
  };
}

export function wrongValue(path: string, value: string, supported: readonly string[]): Problem {
  return {
    message: `Invalid value: '${value}'. Supported values are: ${supported.map((word) => `'${word}'`).join(", ")}.`,
    param: path,
    code: "invalid_value",
  };
}

/** A non-empty string within the length limit. */
export function stringProblem(path: string, value: Json | undefined, maximum: number): Problem | undefined {
  if (typeof value !== "string") return wrongType(path, "a string", value);
  if (value === "") return emptyString(path);
  return value.length > maximum ? tooLong(path, maximum, value.length) : undefined;
}

const NAME = /^[a-zA-Z0-9_-]+$/;

/** A function's name, declared or called. */
export function nameProblem(path: string, value: Json | undefined, maximum: number): Problem | undefined {
  const problem = stringProblem(path, value, maximum);
  if (problem !== undefined) return problem;
  return NAME.test(String(value)) ? undefined : wrongPattern(path, NAME);
}
