import { z } from "zod";
import { adviceFor } from "../core/detect/index.ts";
import { CHOSEN_STATES, type ErrorDetail, type FingerprintRow, type Store } from "../store/port.ts";
import { type TitledError, withTitle } from "./error-title.ts";
import { ParameterError } from "./parameters.ts";
import { choice } from "./query-schemas.ts";
import type { Regressions } from "./regressions.ts";
import { type ResolutionEffect, resolutionEffect } from "./resolution-effect.ts";

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
