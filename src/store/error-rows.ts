import type { FingerprintRow } from "./rows.ts";

/** What people can decide about an error. */
export const CHOSEN_STATES = ["open", "resolved", "ignored"] as const;
export type ChosenState = (typeof CHOSEN_STATES)[number];

/** `regressed`: resolved, and occurred again afterwards. */
export const ERROR_STATES = [...CHOSEN_STATES, "regressed"] as const;
export type ErrorState = (typeof ERROR_STATES)[number];

/** One error over all time. */
export interface ErrorDetail {
  readonly error: FingerprintRow;
  /** Occurrences by UTC day; days without any are left out. */
  readonly days: readonly { readonly at: number; readonly count: number }[];
  /** Clients of the newest occurrences, up to a limit; most frequent first. */
  readonly clients: readonly ClientCount[];
}

export interface ClientCount {
  readonly client: string | null;
  readonly client_version: string | null;
  readonly count: number;
}
