import { hasFields, isArray } from "../../core/model/narrow.ts";
import { isFields, partsText, readPart } from "../model/content-part.ts";
import type { FailureKind } from "./failure.ts";

const MARK = Symbol.for("toolmend.ToolError");

export interface ToolErrorOptions {
  /** Default: `execution`. */
  readonly kind?: FailureKind;
  /** `false`: not with these arguments. Other arguments may work. */
  readonly retryable?: boolean;
  /** `true`: not again in this run, whatever the arguments. Implies `retryable: false`. */
  readonly permanent?: boolean;
  /** For programs; included in logs and events. */
  readonly code?: string;
  /** Shown to the user instead of the standard message. */
  readonly userMessage?: string;
  readonly cause?: unknown;
}

/**
 * Throw this inside a tool to send a message to the model. It is the only exception whose message is forwarded
 * (redacted).
 *
 * @example
 * throw new ToolError("No such city: check the spelling.", { retryable: false });
 */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly [MARK] = true;
  readonly options: ToolErrorOptions;

  constructor(message: string, options: ToolErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.options = options;
  }

  /** Also true for instances from another copy of this package. */
  static isInstance(value: unknown): value is ToolError {
    return typeof value === "object" && value !== null && MARK in value && value[MARK] === true;
  }
}

/** A failure reported by a returned value. */
export interface ReturnedError {
  readonly kind: FailureKind;
  /** `false`: not with these arguments. */
  readonly retryable: boolean;
  /** `true`: not again in this run, whatever the arguments. */
  readonly permanent?: boolean;
  readonly message: string;
}

/** Whether an error message of a tool is about a missing argument. */
export type RequiredRule = (message: string) => boolean;

/** Longer than any such message. */
const MAX_MESSAGE_CHARS = 300;
/** Names of one or several arguments, quoted or not. */
const NAME = "[\"'`]?[a-z][a-z0-9_.\\-]{0,60}[\"'`]?";
const NAMES = `${NAME}(?:(?:,? and |, ?)${NAME}){0,8}`;
const REQUIRED_SHAPES: readonly RegExp[] = [
  new RegExp(`^(?:parameter |argument |field )?${NAMES} (?:is|are) required\\.?$`),
  new RegExp(`^missing (?:a )?required (?:parameter|argument|field|property|input)s?:? ${NAMES}\\.?$`),
  new RegExp(`^(?:parameter|argument|field)s? ${NAMES} (?:is|are) missing\\.?$`),
  new RegExp(`^${NAMES}: (?:field required|required|is required|missing)\\.?$`),
];
/** Required states or permissions, which are not arguments. */
const NOT_ARGUMENTS =
  /^(?:authentication|authorization|authorisation|login|log-in|sign-in|permission|payment|subscription|approval|confirmation|consent|verification|upgrade|restart|reboot|internet|network|connection|access|membership|registration|credentials?|authentification|2fa|mfa|admin|root|sudo|vpn) (?:is|are) required\.?$/;

/** Matches messages that name only arguments: `location is required`, `location: Field required`. */
export const namesMissingArgument: RequiredRule = (message) => {
  const text = normal(message);
  if (text === undefined || NOT_ARGUMENTS.test(text)) return false;
  return REQUIRED_SHAPES.some((shape) => shape.test(text));
};

/** The rule of the original chat agent, verbatim, including its errors; used only by `policies.voyage`. */
export const voyageRequiredRule: RequiredRule = (message) => {
  const text = normal(message);
  return text !== undefined && /^[a-z0-9_,\-\s]+ (?:is|are) required$/.test(text);
};

function normal(message: string): string | undefined {
  const text = message.trim().toLowerCase();
  return text.length > MAX_MESSAGE_CHARS ? undefined : text;
}

/**
 * Parses failures that tools return: `{ error: "…", retryable?: false, permanent?: true }`, and MCP's `{ isError: true,
 * content: […] }`.
 *
 * @example
 * readReturnedError({ error: "location is required" }) // { kind: "missing_parameter", … }
 */
export function readReturnedError(
  value: unknown,
  isRequired: RequiredRule = namesMissingArgument,
): ReturnedError | undefined {
  if (!hasFields(value)) return undefined;
  const { error, isError, content } = value;
  const isPermanent = value.permanent === true;
  const retryable = value.retryable !== false && !isPermanent;
  const base = { retryable, ...(isPermanent && { permanent: true }) };
  if (isError === true) return { ...base, kind: "execution", message: textOf(content) };
  if (typeof error !== "string" || error.trim() === "") return undefined;
  return { ...base, kind: isRequired(error) ? "missing_parameter" : "execution", message: error };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!isArray(content)) return "";
  return partsText(content.flatMap((part) => (isFields(part) ? (readPart(part) ?? []) : [])));
}
