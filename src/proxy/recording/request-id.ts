import { randomUUID } from "node:crypto";

/**
 * Generates a version 7 UUID. Ids of the same time are adjacent in an index, so a batch of requests touches few pages.
 */
export function requestId(now: number): string {
  const time = Math.max(0, Math.trunc(now)).toString(16).padStart(12, "0").slice(-12);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
