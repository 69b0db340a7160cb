import { expect, it } from "vitest";
import { onlyReads } from "./decide.ts";

it.each(["read_file", "Grep", "searchWeb", "mcp__git__list_branches", "get-weather"])(
  "a tool with this name only reads: %s",
  (name) => {
    expect(onlyReads(name)).toBe(true);
  },
);

it.each(["bash", "Edit", "fetch_url", "find_and_replace", "get_or_create", "frobnicate", ""])(
  "a tool with this name may have side effects: %j",
  (name) => {
    expect(onlyReads(name)).toBe(false);
  },
);
