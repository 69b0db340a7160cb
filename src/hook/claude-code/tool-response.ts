import type { RawResult } from "../../ingest/observe/observe-call.ts";
import { type Fields, isFields, textOf } from "../hook-event.ts";

/**
 * Reads the result in a `PostToolUse` event. The event follows successful calls only, so the flag is `ok` unless the
 * response contains an explicit failure. Older versions, and other programs that send this event, report failures so.
 */
export function readToolResponse(response: unknown): RawResult {
  if (!isFields(response)) return { content: response, ...(typeof response === "string" ? {} : OK) };
  if (response.interrupted === true) return { content: visibleText(response), is_error: true, stage: "interrupted" };
  const failure = explicitFailure(response);
  return failure === undefined ? { content: visibleText(response), ...OK } : failure;
}

const OK = { is_error: false } as const;

/** The first match wins. A numeric `timeout` is a setting; only `true` means that the call timed out. */
function explicitFailure(response: Fields): RawResult | undefined {
  const failed = (content: string): RawResult => ({ content, is_error: true, phase: "run" });
  const exit = response.exit_code ?? response.exitCode;
  const status = response.statusCode;
  if (response.isError === true || response.is_error === true) return { ...failed(""), content: visibleText(response) };
  if (isError(response.error)) return failed(errorText(response.error));
  if (response.success === false) return { ...failed(""), content: JSON.stringify(response) };
  if (typeof exit === "number" && exit !== 0) return failed(`Exit code ${exit}\n${visibleText(response)}`.trim());
  if (typeof status === "number" && status >= 400) return failed(`HTTP ${status} ${visibleText(response)}`.trim());
  if (response.timedOut === true || response.timeout === true) return failed("Timed out");
  if (response.cancelled === true) return { ...failed("Cancelled"), stage: "interrupted" };
  if (response.notFound === true) return failed("Not found");
  if (response.permissionDenied === true) return failed("Permission denied");
  return undefined;
}

function isError(error: unknown): boolean {
  return (typeof error === "string" && error !== "") || (typeof error === "object" && error !== null) || error === true;
}

function errorText(error: unknown): string {
  if (typeof error === "string") return error;
  if (isFields(error)) return textOf(error.message) ?? JSON.stringify(error);
  return "Error";
}

/** Returns the output of a shell, the content of a file or content blocks; otherwise the whole response. */
function visibleText(response: Fields): unknown {
  const { stdout, stderr, file, content } = response;
  if (typeof stdout === "string" || typeof stderr === "string") {
    return [stdout, stderr].filter((part) => typeof part === "string" && part !== "").join("\n");
  }
  if (isFields(file) && typeof file.content === "string") return file.content;
  return content === undefined ? response : content;
}
