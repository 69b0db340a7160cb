/** Result of one check. `advice` is the suggested fix. */
export interface CheckResult {
  readonly check: string;
  readonly status: "ok" | "warning" | "failed";
  readonly detail: string;
  readonly advice?: string;
}
