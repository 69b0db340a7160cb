import { randomUUID } from "node:crypto";

/** A UUID of version 7: those of one time stand side by side in an index, so that a batch of requests touches few of its pages. */
export function requestId(now: number): string {
  const time = Math.max(0, Math.trunc(now)).toString(16).padStart(12, "0").slice(-12);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
