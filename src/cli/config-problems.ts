import type { z } from "zod";
import { isObject } from "../core/model/narrow.ts";
import { oneLineText, shorten } from "./table.ts";

/** A setting that is invalid, by its path, and what is wrong with it. */
export interface ConfigProblem {
  readonly path: readonly string[];
  readonly text: string;
}

/** The problems that the schema found in settings, as shown to users. */
export function configProblems(issues: readonly z.core.$ZodIssue[], settings: unknown): readonly ConfigProblem[] {
  return issues.flatMap(inMeantForm).flatMap((issue) => {
    const path = issue.path.map(String);
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => ({ path: [...path, key], text: "unknown setting" }));
    return [{ path, text: textOf(issue, valueAt(settings, path)) }];
  });
}

function textOf(issue: z.core.$ZodIssue, value: unknown): string {
  // Zod reports an invalid key one level deeper.
  if (issue.code === "invalid_key") return issue.issues[0]?.message ?? issue.message;
  if (issue.code === "invalid_value") {
    const shown = typeof value === "string" ? JSON.stringify(shorten(oneLineText(value), 40)) : typeNameOf(value);
    return `must be one of ${issue.values.map(String).join(", ")} (is ${shown})`;
  }
  if (issue.message.startsWith("Too ") && (issue.code === "too_small" || issue.code === "too_big")) {
    if (issue.origin === "string") return issue.code === "too_small" ? "must not be empty" : "is too long";
    return issue.code === "too_small" ? `must be at least ${issue.minimum}` : `must be at most ${issue.maximum}`;
  }
  if (issue.code === "invalid_type" && issue.expected === "int" && typeof value === "number")
    return issue.message.startsWith("Invalid input") ? "must be a whole number" : issue.message;
  // Messages of the schema itself are written for users. The value may be a secret, so only its type is shown.
  if (issue.code === "invalid_type" && issue.message.startsWith("Invalid input"))
    return value === undefined ? "is missing" : `must be of type ${issue.expected} (is ${typeNameOf(value)})`;
  return issue.message;
}

function typeNameOf(value: unknown): string {
  if (value === undefined) return "missing";
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}

/** For a union, reports the problems of the form the value has instead of those of every form. */
function inMeantForm(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const form = issue.errors.find(
    (issues) => !issues.some(({ code, path }) => code === "invalid_type" && path.length === 0),
  );
  return form?.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })) ?? [issue];
}

function valueAt(settings: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, settings);
}
