import type { FailureKind } from "../outcome/failure.ts";
import { type SafeTextOptions, safeText } from "./safe-text.ts";
import { USER_TEXTS, type UserTexts, userText } from "./user-texts.ts";

/** Decides what leaves: everything that a model or a user reads about a failure goes through it. */
export interface Sanitizer {
  /** A text of a tool, for a model that wrote `known`. */
  forModel(text: string, known?: string): string;
  /** A text of a tool, for anybody. */
  forUser(text: string): string;
  /** The standard sentence about a failure. */
  userText(kind: FailureKind, tool: string): string;
}

export interface SanitizerOptions {
  /** Values that must never be seen, whatever they look like. */
  readonly secrets?: Iterable<string | RegExp>;
  /** Other words or another language; `{tool}` is the tool's name. */
  readonly userTexts?: Partial<UserTexts>;
  /** Longest text of a tool that passes, in UTF-16 units. */
  readonly limit?: number;
}

/**
 * @example
 * const sanitizer = createSanitizer({ secrets: [databasePassword] });
 */
export function createSanitizer(options: SanitizerOptions = {}): Sanitizer {
  const texts: UserTexts = { ...USER_TEXTS, ...options.userTexts };
  const base: SafeTextOptions = {
    secrets: [...(options.secrets ?? [])],
    ...(options.limit !== undefined && { limit: options.limit }),
  };
  return {
    forModel: (text, known) => safeText(text, { ...base, ...(known !== undefined && { known }) }),
    forUser: (text) => safeText(text, base),
    userText: (kind, tool) => userText(texts, kind, tool),
  };
}
