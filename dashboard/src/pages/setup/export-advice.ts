import type { TargetStatus } from "../../../../src/export/target-status.ts";

const ADDRESS: Readonly<Record<string, string>> = { langfuse: "LANGFUSE_HOST", otlp: "OTEL_EXPORTER_OTLP_ENDPOINT" };
const KEYS: Readonly<Record<string, string>> = {
  langfuse: "LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY",
  otlp: "OTEL_EXPORTER_OTLP_HEADERS",
};

/** What somebody can do about a target that takes nothing. */
export function adviceOf({ target, problem }: Pick<TargetStatus, "target" | "problem">): string {
  const [address = "its address", keys = "its keys"] = [ADDRESS[target], KEYS[target]];
  const status = Number(/^HTTP (\d{3})/.exec(problem ?? "")?.[1] ?? 0);
  if (status === 401 || status === 403) return `It does not know the keys: set ${keys} and start Toolmend again.`;
  if (status >= 500) return "It answers and is not well: its own log says more.";
  if (status > 0) return `Somebody else may answer there: check ${address} and start Toolmend again.`;
  return `Is it running, and is ${address} right?`;
}
