import type { RankedRow } from "../../src/api/ranked-row.ts";
import { inRange, useQuery } from "./queries.ts";

/** Names of tools or models that occur in the range, most failures first. */
export function useNames(by: "tool" | "model"): readonly string[] {
  const path = by === "tool" ? inRange("/api/tools") : inRange("/api/breakdown", { by });
  const { value } = useQuery<{ readonly rows: readonly RankedRow[] }>(path);
  return value?.rows.map(({ key }) => key).filter((key) => key !== "") ?? [];
}
