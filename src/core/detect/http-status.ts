import type { Category } from "../model/outcome.ts";

/** Returns the category of an HTTP status between 400 and 499. */
export function clientError(status: string): Category {
  switch (status) {
    case "401":
      return "auth";
    case "403":
      return "permission_denied";
    case "404":
    case "410":
      return "not_found";
    case "408":
      return "timeout";
    case "429":
      return "rate_limited";
    case "413":
      return "oversized";
    default:
      return "http_client_error";
  }
}
