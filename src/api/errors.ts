import { z } from "zod";
import { type Advice, adviceFor } from "../core/detect/index.ts";
import { findTellingLine } from "../core/detect/reason/telling-line.ts";
import { CHOSEN_STATES, type ErrorDetail, type FingerprintRow, type Store } from "../store/port.ts";
import { ParameterError } from "./parameters.ts";
import { choice } from "./query-schemas.ts";
import type { Regressions } from "./regressions.ts";
import { type ResolutionEffect, resolutionEffect } from "./resolution-effect.ts";

/** An error with a title for lists. */
export interface TitledError extends FingerprintRow {
  readonly title: string;
  /** Null if nothing is known. */
  readonly advice?: Advice | null;
}

export interface ErrorResponse extends Omit<ErrorDetail, "error"> {
  readonly error: TitledError;
  /** What changed since the error was resolved; null if it is not, or if that is unknown. */
  readonly effect: ResolutionEffect | null;
}

/** Regressions with titles of the new errors. */
export interface RegressionsResponse extends Regressions {
  readonly fingerprints: readonly TitledError[];
  /** The most frequent error of the first tool, or of all, with advice. */
  readonly top_error: TitledError | null;
}

const ERROR_NOT_FOUND = "Error not found.";
export const ERROR_NOT_FOUND_RESPONSES = { 404: ERROR_NOT_FOUND } as const;

const EXIT_STATUS = /^(?:process )?exit(?:ed)?(?: with)? ?(?:code|status)?[:=]? ?\d{1,5}\.?$/i;
const MAX_TITLE_LINES = 40;

/** The line that names the problem. An exit status alone does not, so it is used only if no other line exists. */
export function titleOf({ sample, category }: Pick<FingerprintRow, "sample" | "category">): string {
  const lines = sample.split("\n", MAX_TITLE_LINES).map((line) => line.trim());
  const others = lines.filter((line) => line !== "" && !EXIT_STATUS.test(line));
  const telling = findTellingLine(others.join("\n"))?.line.trim();
  return telling || others[0] || lines[0] || category;
}

const WRAPPER = /^\s{0,10}<([a-z_]{0,40}error)>/;

/** Without the tag that a client puts around the text of an error. */
function unwrapped(text: string): string {
  const [start, name] = WRAPPER.exec(text) ?? [];
  if (start === undefined) return text;
  const rest = text.slice(start.length).trim();
  const end = `</${name}>`;
  return rest.endsWith(end) ? rest.slice(0, -end.length).trimEnd() : rest;
}

export function withTitle(raw: FingerprintRow): TitledError {
  const row = { ...raw, sample: unwrapped(raw.sample) };
  return { ...row, title: titleOf(row) };
}

/** Adds advice that may prevent this failure. */
export function withAdvice(row: FingerprintRow): TitledError {
  const [[tool] = []] = Object.entries(row.tools).sort(([, a], [, b]) => b - a);
  return { ...withTitle(row), advice: adviceFor({ category: row.category, tool, message: row.sample }) ?? null };
}

export async function readError(
  reader: Pick<Store, "error" | "breakdown" | "calls">,
  project: string,
  fingerprint: string,
  now: number,
): Promise<ErrorResponse> {
  const found = await reader.error(project, fingerprint);
  if (found === undefined) throw new ParameterError(ERROR_NOT_FOUND, 404);
  return { ...found, error: withAdvice(found.error), effect: await resolutionEffect(reader, found.error, now) };
}

export const errorStateSchema = z.object({ state: choice(CHOSEN_STATES) });

export async function changeErrorState(
  reader: Pick<Store, "error" | "breakdown" | "calls">,
  { setErrorState }: Pick<Store, "setErrorState">,
  project: string,
  fingerprint: string,
  { state }: z.output<typeof errorStateSchema>,
  now: number,
): Promise<ErrorResponse> {
  if (!(await setErrorState(project, fingerprint, state, now))) throw new ParameterError(ERROR_NOT_FOUND, 404);
  return await readError(reader, project, fingerprint, now);
}
