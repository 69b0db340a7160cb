import { type Checks, callback, count, flag, listOf, oneOf } from "../agent/check-options.ts";
import { CALL_REPAIR_MODES, REPAIR_MODES } from "../core/repair/index.ts";
import type { MendFetchOptions } from "./fetch/index.ts";

const texts = listOf("texts", (value) => typeof value === "string");

/** The options that `mendFetch` and `mendMiddleware` share. */
export const REPAIR_CHECKS: Checks<Exclude<keyof MendFetchOptions, "fetch">> = {
  mode: oneOf(...REPAIR_MODES),
  allow: texts,
  deny: texts,
  maxCandidateChars: count(1),
  strictCommands: flag,
  calls: oneOf(...CALL_REPAIR_MODES),
  onLeak: callback,
  onCall: callback,
};
