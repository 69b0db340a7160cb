import type { Category, Retryable } from "../model/outcome.ts";

/**
 * Severity of each category, 0 to 1. The first 10 values are published and never change.
 *
 * @example
 * ERROR_SEVERITY.timeout; // 0.75
 */
export const ERROR_SEVERITY: Readonly<Record<Category, number>> = {
  permission_denied: 0.9,
  incomplete: 0.85,
  exit_code: 0.8,
  timeout: 0.75,
  http_server_error: 0.7,
  error: 0.6,
  http_client_error: 0.5,
  failed: 0.5,
  not_found: 0.4,
  cancelled: 0.3,
  auth: 0.85,
  network: 0.7,
  crash: 0.7,
  unknown_tool: 0.6,
  invalid_arguments: 0.5,
  rate_limited: 0.5,
  precondition: 0.4,
  test_failure: 0.4,
  build_failure: 0.4,
  oversized: 0.3,
};

/** Severity of an unknown or missing category. */
const DEFAULT_SEVERITY = 0.5;

/**
 * Returns the severity of a category; 0.5 if it is missing or unknown.
 *
 * @example
 * getErrorSeverity("exit_code"); // 0.8
 * getErrorSeverity(); // 0.5
 */
export function getErrorSeverity(category?: string): number {
  return category !== undefined && Object.hasOwn(ERROR_SEVERITY, category)
    ? ERROR_SEVERITY[category as Category]
    : DEFAULT_SEVERITY;
}

/**
 * Whether a failed call can be retried. `after-change`: only with other arguments or after another step.
 *
 * @example
 * RETRY_ADVICE.rate_limited; // "yes"
 */
export const RETRY_ADVICE: Readonly<Record<Category, Retryable>> = {
  permission_denied: "no",
  incomplete: "yes",
  exit_code: "no",
  timeout: "yes",
  http_server_error: "yes",
  error: "no",
  http_client_error: "no",
  failed: "no",
  not_found: "no",
  cancelled: "no",
  auth: "no",
  network: "yes",
  crash: "yes",
  unknown_tool: "no",
  invalid_arguments: "after-change",
  rate_limited: "yes",
  precondition: "after-change",
  test_failure: "no",
  build_failure: "no",
  oversized: "after-change",
};
