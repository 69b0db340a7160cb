import type { Observation } from "../core/model/observation.ts";
import { readObservation } from "../core/model/read-observation.ts";
import { withBoundedIds } from "./bounded-ids.ts";
import type { Rejected } from "./port.ts";

/** The observations of a batch as every store can hold them, and the lines that are none. */
export function readLines(lines: string): {
  readonly observations: readonly Observation[];
  readonly rejected: readonly Rejected[];
} {
  const observations: Observation[] = [];
  const rejected: Rejected[] = [];
  for (const line of lines.split("\n")) {
    if (line === "") continue;
    const read = readObservation(line);
    if (read.kind === "observation") observations.push(withBoundedIds(read.observation));
    else rejected.push({ line, reason: read.reason });
  }
  return { observations, rejected };
}
