/** One thing that was looked at. `advice` says what to do about it. */
export interface CheckResult {
  readonly check: string;
  readonly status: "ok" | "warning" | "failed";
  readonly detail: string;
  readonly advice?: string;
}
