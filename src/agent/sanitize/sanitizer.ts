import type { FailureKind } from "../outcome/failure.ts";
import { type SafeTextOptions, safeText } from "./safe-text.ts";
import { USER_TEXTS, type UserTexts, userText } from "./user-texts.ts";

/** Sanitizes everything that a model or a user reads about a failure. */
export interface Sanitizer {
  /** A tool's text for the model that wrote `known`. */
  forModel(text: string, known?: string): string;
  /** A tool's text for users. */
  forUser(text: string): string;
  /** The standard message for a failure. */
  userText(kind: FailureKind, tool: string): string;
}

export interface SanitizerOptions {
  /** Values to redact, whatever their format. */
  readonly secrets?: Iterable<string | RegExp>;
  /** Custom or translated messages; `{tool}` is the tool's name. */
  readonly userTexts?: Partial<UserTexts>;
  /** Maximum length of a tool's text, in UTF-16 units. */
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
