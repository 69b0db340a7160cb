/** What is removed from texts: credentials only, or personal data as well. */
export const REDACT_LEVELS = ["secrets", "personal"] as const;
export type RedactLevel = (typeof REDACT_LEVELS)[number];
