import type { FailureKind, OnFailure } from "../../proxy/http/error-boundary.ts";
import type { Logger } from "../logger.ts";

/** One line per kind in this time: an upstream that fails with every request would fill the log. */
const LOG_INTERVAL_MS = 60_000;
const MAX_FRAMES = 4;

export interface FailureLogOptions {
  readonly logger: Pick<Logger, "warn">;
  readonly count: (kind: FailureKind) => void;
  readonly now: () => number;
}

/** Counts failures that were kept to their exchange, and logs each kind at once, then at most once a minute with how many there were since. */
export function createFailureLog({ logger, count, now }: FailureLogOptions): OnFailure {
  const kinds = new Map<FailureKind, { since: number; loggedAt: number }>();
  return (kind, error) => {
    count(kind);
    const state = kinds.get(kind) ?? { since: 0, loggedAt: Number.NEGATIVE_INFINITY };
    kinds.set(kind, state);
    state.since += 1;
    if (now() - state.loggedAt < LOG_INTERVAL_MS) return;
    logger.warn({ kind, failures: state.since, ...describe(error) }, "an exchange failed; others go on");
    state.since = 0;
    state.loggedAt = now();
  };
}

/** What went wrong and where, without the error's message: it may repeat what a client or an upstream sent. */
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

/** The lines of a stack that name places in the code; none where they cannot be told from the message before them. */
function framesOf({ name, message, stack = "" }: Error): readonly string[] {
  const head = message === "" ? name : `${name}: ${message}`;
  if (!stack.startsWith(head)) return [];
  const lines = stack.slice(head.length).split("\n");
  return lines
    .filter((line) => line.startsWith("    at "))
    .slice(0, MAX_FRAMES)
    .map((line) => line.slice("    at ".length));
}
