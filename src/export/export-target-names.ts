export const EXPORT_TARGETS = ["langfuse", "otlp"] as const;
export type ExportTargetName = (typeof EXPORT_TARGETS)[number];
