import type { TargetStatus } from "../../../../src/export/target-status.ts";

const ADDRESS: Readonly<Record<string, string>> = { langfuse: "LANGFUSE_HOST", otlp: "OTEL_EXPORTER_OTLP_ENDPOINT" };
const KEYS: Readonly<Record<string, string>> = {
  langfuse: "LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY",
  otlp: "OTEL_EXPORTER_OTLP_HEADERS",
};

/** Arguments of the command that exports calls which are not exported automatically. */
export function backfillArguments(target: string): string {
  return `export ${target} --since 7d`;
}

/** Suggests a fix for a target that rejects items. */
export function adviceOf({ target, problem }: Pick<TargetStatus, "target" | "problem">): string {
  const [address = "its address", keys = "its keys"] = [ADDRESS[target], KEYS[target]];
  const status = Number(/^HTTP (\d{3})/.exec(problem ?? "")?.[1] ?? 0);
  if (status === 401 || status === 403) return `The target rejected the keys. Set ${keys} and restart Toolmend.`;
  if (status >= 500) return "The target returned a server error. Check its log.";
  if (status > 0) return `Another service may be listening there. Check ${address} and restart Toolmend.`;
  return `Check that it is running and that ${address} is correct.`;
}
