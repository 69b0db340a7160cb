import { destination, type Logger, pino } from "pino";
import { redact } from "../core/redact/redact.ts";

export type { Logger };

/**
 * Writes JSON lines to stderr; stdout is for command output. Every line is redacted because error messages can quote
 * text of other programs.
 */
export function createLogger(level: string, to: { write(line: string): void } = destination(2)): Logger {
  return pino(
    {
      level,
      base: null,
      hooks: {
        logMethod(given, method) {
          // The types of the arguments stay the same: strings become strings.
          method.apply(this, given.map((one) => redactTexts(one, 0)) as typeof given);
        },
      },
    },
    to,
  );
}

/** Maximum nesting depth of log fields. */
const MAX_DEPTH = 4;

function redactTexts(value: unknown, depth: number): unknown {
  if (typeof value === "string") return redact(value);
  if (value === null || typeof value !== "object") return value;
  if (depth >= MAX_DEPTH) return "…";
  if (value instanceof Error) return redactError(value);
  if (Array.isArray(value)) return value.map((inner) => redactTexts(inner, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redactTexts(inner, depth + 1)]));
}

function redactError({ name, message, stack = "" }: Error): Error {
  return Object.assign(new Error(redact(message)), { name, stack: redact(stack) });
}
