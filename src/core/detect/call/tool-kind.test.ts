import { expect, test } from "vitest";
import { toolKind } from "../index.ts";

test.each<[string | undefined, unknown, string]>([
  ["Bash", {}, "shell"],
  ["exec_command", {}, "shell"],
  ["desktop/start_process", {}, "shell"],
  ["run_terminal_cmd", {}, "shell"],
  ["executePython", {}, "shell"],
  ["functions.shell", {}, "shell"],
  ["Read", {}, "read"],
  ["mcp__fs__read_file", {}, "read"],
  ["get_file_contents", {}, "read"],
  ["list_directory", {}, "read"],
  ["Grep", {}, "search"],
  ["web_search", {}, "search"],
  ["searchCode", {}, "search"],
  ["Edit", {}, "edit"],
  ["write_file", {}, "edit"],
  ["apply_patch", {}, "edit"],
  ["create_file", {}, "edit"],
  ["WebFetch", {}, "http"],
  ["browser_navigate", {}, "http"],
  ["run_sql", {}, "sql"],
  ["Task", {}, "agent"],
  ["git_diff", {}, "prose"],
  ["get_weather", {}, "api"],
  ["book_flight", {}, "api"],
  [undefined, {}, "api"],
  ["frob", { command: "ls" }, "shell"],
  ["frob", { sql: "select 1" }, "sql"],
  ["frob", { url: "https://x.example" }, "http"],
  ["str_replace_editor", { command: "view" }, "read"],
  ["str_replace_editor", { command: "str_replace" }, "edit"],
])("tool %j with arguments %j has kind %s", (name, args, kind) => {
  expect(toolKind(name, args)).toBe(kind);
});
