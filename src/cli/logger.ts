import { destination, type Logger, pino } from "pino";
import { redact } from "../core/redact/redact.ts";

export type { Logger };

/** JSON lines on stderr; stdout belongs to the commands. Texts of other programs end up in messages of errors, so every line is redacted. */
export function createLogger(level: string, to: { write(line: string): void } = destination(2)): Logger {
  return pino(
    {
      level,
      base: null,
      formatters: { log: (fields) => redactTexts(fields, 0) as Record<string, unknown> },
      hooks: {
        logMethod(given, method) {
          method.apply(this, given.map((one) => (typeof one === "string" ? redact(one) : one)) as typeof given);
        },
      },
    },
    to,
  );
}

/** Deeper than any line of a log. */
const MAX_DEPTH = 4;

function redactTexts(value: unknown, depth: number): unknown {
  if (typeof value === "string") return redact(value);
  if (value === null || typeof value !== "object" || depth >= MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((inner) => redactTexts(inner, depth + 1));
  if (value instanceof Error)
    return { type: value.name, message: redact(value.message), stack: redact(value.stack ?? "") };
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redactTexts(inner, depth + 1)]));
}
