import type { FailureKind, OnFailure } from "../../proxy/http/error-boundary.ts";
import type { Logger } from "../logger.ts";

/** One log line per kind and interval: an upstream that fails on every request would fill the log. */
const LOG_INTERVAL_MS = 60_000;
const MAX_FRAMES = 4;

export interface FailureLogOptions {
  readonly logger: Pick<Logger, "warn">;
  readonly count: (kind: FailureKind) => void;
  readonly now: () => number;
}

/** Counts contained failures. Logs the first of each kind immediately, later ones at most once a minute with their count. */
export function createFailureLog({ logger, count, now }: FailureLogOptions): OnFailure {
  const kinds = new Map<FailureKind, { since: number; loggedAt: number }>();
  return (kind, error) => {
    count(kind);
    const state = kinds.get(kind) ?? { since: 0, loggedAt: Number.NEGATIVE_INFINITY };
    kinds.set(kind, state);
    state.since += 1;
    if (now() - state.loggedAt < LOG_INTERVAL_MS) return;
    logger.warn(
      { kind, failures: state.since, ...describe(error) },
      "contained a failure; other exchanges are not affected",
    );
    state.since = 0;
    state.loggedAt = now();
  };
}

/** Describes an error without its message, which may quote what a client or an upstream sent. */
function describe(error: unknown): { readonly error: string; readonly code?: string; readonly at?: readonly string[] } {
  if (!(error instanceof Error)) return { error: typeof error };
  const { code } = error as NodeJS.ErrnoException;
  const at = framesOf(error);
  return {
    error: error.constructor.name,
    ...(typeof code === "string" && { code: code.slice(0, 64) }),
    ...(at.length > 0 && { at }),
  };
}

/** The frames of a stack trace. Empty if the trace does not start with the message, which could then contain forged frames. */
function framesOf({ name, message, stack = "" }: Error): readonly string[] {
  const head = message === "" ? name : `${name}: ${message}`;
  if (!stack.startsWith(head)) return [];
  const lines = stack.slice(head.length).split("\n");
  return lines
    .filter((line) => line.startsWith("    at "))
    .slice(0, MAX_FRAMES)
    .map((line) => line.slice("    at ".length));
}
