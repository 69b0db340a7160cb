import type { FormatRow } from "./row.ts";

/** A tag named after a tool has no row in the table: the request's tools are its openers. */
export const TOOL_TAG: FormatRow = {
  format: "tag-per-tool",
  openers: [],
  payloads: ["elements"],
  strength: "named",
  entities: true,
};
