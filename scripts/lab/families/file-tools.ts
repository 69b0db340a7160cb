// File tools as coding agents word them. The operations run on real files; the wording around their result is invented
// here, in several styles, because every agent has its own.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "../scrub.ts";
import type { Category, Label, Producer, ProducerContext, Row } from "../types.ts";
import { createPicker, fill, wordsOf } from "../words.ts";

interface Outcome {
  readonly label: Label;
  readonly category: Category | null;
  readonly also?: readonly Category[];
  readonly fact?: string;
  readonly text: string;
}

interface Style {
  readonly name: string;
  readonly read: string;
  readonly write: string;
  readonly edit: string;
  readonly list: string;
  readonly search: string;
  readonly argument: string;
  readonly fail: (text: string) => string;
  readonly done: (text: string) => string;
  readonly numbered: (line: string, n: number) => string;
}

const plain = (text: string) => text;
const STYLES: readonly Style[] = [
  {
    name: "sentence",
    read: "Read",
    write: "Write",
    edit: "Edit",
    list: "LS",
    search: "Grep",
    argument: "file_path",
    fail: plain,
    done: plain,
    numbered: (l, n) => `${String(n).padStart(6)}→${l}`,
  },
  {
    name: "prefix",
    read: "read_file",
    write: "write_file",
    edit: "replace",
    list: "list_directory",
    search: "search_file_content",
    argument: "absolute_path",
    fail: (t) => `Error: ${t}`,
    done: plain,
    numbered: (l) => l,
  },
  {
    name: "tag",
    read: "view",
    write: "create_file",
    edit: "str_replace",
    list: "list_dir",
    search: "grep_search",
    argument: "path",
    fail: (t) => `<error>\n${t}\n</error>`,
    done: (t) => `<result>\n${t}\n</result>`,
    numbered: (l, n) => `${n}: ${l}`,
  },
  {
    name: "json",
    read: "open_file",
    write: "save_file",
    edit: "apply_diff",
    list: "list_files",
    search: "search_files",
    argument: "path",
    fail: (t) => JSON.stringify({ success: false, error: t, result: null }),
    done: (t) => JSON.stringify({ success: true, error: null, result: t }),
    numbered: (l, n) => `${n} | ${l}`,
  },
  {
    name: "json-status",
    read: "fs_read",
    write: "fs_write",
    edit: "fs_patch",
    list: "fs_list",
    search: "fs_grep",
    argument: "path",
    fail: (t) => JSON.stringify({ status: "error", message: t }, null, 2),
    done: (t) => JSON.stringify({ status: "success", data: t }, null, 2),
    numbered: (l) => l,
  },
  {
    name: "heading",
    read: "readFile",
    write: "writeFile",
    edit: "editFile",
    list: "listDir",
    search: "findText",
    argument: "filePath",
    fail: (t) => `### Error\n${t}\n\n### Hint\nCheck the path and try again.`,
    done: (t) => `### Result\n${t}`,
    numbered: (l, n) => `L${n}: ${l}`,
  },
  {
    name: "wrapper",
    read: "file_read",
    write: "file_write",
    edit: "file_str_replace",
    list: "file_list",
    search: "file_find_in_content",
    argument: "file",
    fail: (t) => `Tool execution failed: ${t}`,
    done: (t) => `OK\n${t}`,
    numbered: (l, n) => `[${n}] ${l}`,
  },
  {
    name: "symbol",
    read: "cat",
    write: "put",
    edit: "sed_edit",
    list: "ls",
    search: "rg",
    argument: "path",
    fail: (t) => `❌ ${t}`,
    done: (t) => `✅ ${t}`,
    numbered: (l) => l,
  },
];

const SOURCES: Readonly<Record<string, string>> = {
  "@stem@.ts":
    "import { @type@Error } from './errors';\n\nexport function @id@(input: string): string {\n  try {\n    return JSON.parse(input);\n  } catch (error) {\n    throw new @type@Error('@msg@', { cause: error });\n  }\n}\n",
  "@stem@.log":
    "[10:02:11] INFO  started\n[10:02:12] ERROR @msg@\n[10:02:12] ERROR Traceback (most recent call last):\n[10:02:13] WARN  retry 1 of 3\n[10:02:14] FATAL connection refused\n",
  "@stem@.md":
    "# Troubleshooting\n\n## Error: @msg@\n\nThe command failed with exit code 1. Permission denied means that the file is not yours.\n",
  "errors.json":
    '{\n  "ENOENT": "no such file or directory",\n  "EACCES": "permission denied",\n  "E@n@01": "@msg@"\n}\n',
  "test_@stem@.py":
    "import pytest\n\ndef test_failure():\n    with pytest.raises(ValueError, match='@msg@'):\n        raise ValueError('@msg@')\n",
  "@stem@.py":
    "class @type@Error(Exception):\n    pass\n\n\ndef @id@(rows):\n    if not rows:\n        raise @type@Error('@msg@')\n    return rows\n",
  "@stem@.yaml": "name: @stem@\non_error: retry\nfailure_threshold: @n@\nerrors: []\n",
};

/** The message of the real failure, as the operating system words it. */
function systemMessage(action: () => unknown): string {
  try {
    action();
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}

function outcomes(style: Style, words: Readonly<Record<string, string>>, folder: string, seed: number) {
  const pick = createPicker(seed);
  const cwd = projectFolder(seed);
  const w = (text: string) => fill(text, words);
  const name = pick(Object.keys(SOURCES));
  const file = w(name);
  const source = w(SOURCES[name] as string);
  const missing = w("src/@missing@");
  mkdirSync(join(folder, "src"), { recursive: true });
  writeFileSync(join(folder, file), source);
  const lines = readFileSync(join(folder, file), "utf8").trimEnd().split("\n");
  const system = systemMessage(() => readFileSync(join(folder, missing))).replaceAll(folder, cwd);
  const folderMessage = systemMessage(() => readFileSync(join(folder, "src"))).replaceAll(folder, cwd);
  const folderText = pick([
    `src is a directory, not a file. Use ${style.list} to look inside.`,
    folderMessage,
    "Cannot read src: it is a folder",
  ]);
  const shown = lines.map((line, n) => style.numbered(line, n + 1)).join("\n");
  const hit = lines.findIndex((line) => /error|fail|denied/i.test(line));
  const error = (category: Category, text: string, fact: string, also: readonly Category[] = []): Outcome => ({
    label: "error",
    category,
    also,
    fact,
    text: style.fail(text),
  });
  const ok = (text: string): Outcome => ({ label: "ok", category: null, text: style.done(text) });
  const old = w("const @id@ = load(@id2@);");
  const path = `${cwd}/${file}`;
  const gone = `${cwd}/${missing}`;
  const results: Readonly<Record<string, readonly [string, Record<string, unknown>, Outcome]>> = {
    "read-missing": [
      style.read,
      { [style.argument]: gone },
      error(
        "not_found",
        pick([
          `File ${missing} does not exist.`,
          `No file at ${gone}`,
          `Could not open ${missing}: file not found`,
          system,
          `The path ${missing} was not found in the workspace. Did you mean ${file}?`,
        ]),
        w("@missing@"),
      ),
    ],
    "read-folder": [
      style.read,
      { [style.argument]: `${cwd}/src` },
      error("error", folderText, folderText.includes("src") ? "src" : "EISDIR", ["precondition", "invalid_arguments"]),
    ],
    "read-denied": [
      style.read,
      { [style.argument]: "/etc/shadow" },
      error(
        "permission_denied",
        pick([
          "Access to /etc/shadow is outside of the allowed folders",
          "EACCES: permission denied, open '/etc/shadow'",
          "Reading /etc/shadow is blocked by the workspace policy.",
          "[Errno 13] Permission denied: '/etc/shadow'",
        ]),
        "/etc/shadow",
      ),
    ],
    "read-large": [
      style.read,
      { [style.argument]: path },
      error(
        "oversized",
        pick([
          w(`${file} has @big@0 lines, the limit is 2000. Read a part with offset and limit.`),
          w(`File too large: @big@ KB exceeds the maximum of 256 KB`),
          w(`Content of ${file} (@big@0 tokens) is above the allowed 25000 tokens`),
        ]),
        "",
        ["invalid_arguments"],
      ),
    ],
    "read-beyond": [
      style.read,
      { [style.argument]: path, offset: 900 },
      error(
        "invalid_arguments",
        pick([
          `Offset 900 is beyond the end of ${file} (${lines.length} lines)`,
          `start line 900 is out of range: the file has ${lines.length} lines`,
        ]),
        "900",
        ["precondition", "error"],
      ),
    ],
    "read-binary": [
      style.read,
      { [style.argument]: `${cwd}/logo.ico` },
      error(
        "error",
        pick([
          "Cannot display logo.ico: binary file",
          "logo.ico looks like binary data and was not read",
          "Unsupported file type for reading: logo.ico",
        ]),
        "logo.ico",
        ["invalid_arguments", "precondition"],
      ),
    ],
    "read-ok": [style.read, { [style.argument]: path }, ok(shown)],
    "read-part": [
      style.read,
      { [style.argument]: path, offset: 1, limit: 2 },
      ok(
        `${lines
          .slice(0, 2)
          .map((line, n) => style.numbered(line, n + 1))
          .join("\n")}\n(${Math.max(lines.length - 2, 0)} more lines)`,
      ),
    ],
    "read-empty": [
      style.read,
      { [style.argument]: path },
      ok(pick(["(the file is empty)", "File exists but has no content.", "0 lines"])),
    ],
    "write-ok": [
      style.write,
      { [style.argument]: path, content: source },
      ok(
        pick([
          `Wrote ${source.length} bytes to ${file}`,
          `Created ${path}`,
          `File ${file} saved (${lines.length} lines).`,
        ]),
      ),
    ],
    "write-lint": [
      style.write,
      { [style.argument]: path, content: source },
      ok(`Wrote ${file}. Lint: 0 errors, 1 warning (unused '${words.id}')`),
    ],
    "write-exists": [
      style.write,
      { [style.argument]: path, content: "x" },
      error(
        "precondition",
        pick([
          `${file} already exists; set overwrite to replace it`,
          `Refusing to overwrite ${file}: it was not read in this session`,
          `File has not been opened yet. Use ${style.read} on ${file} first.`,
        ]),
        "",
        ["error", "permission_denied"],
      ),
    ],
    "write-denied": [
      style.write,
      { [style.argument]: `/usr/lib/${file}`, content: "x" },
      error(
        "permission_denied",
        pick([
          `EACCES: permission denied, open '/usr/lib/${file}'`,
          `Write to /usr/lib/${file} refused: read-only location`,
          `You do not have permission to write /usr/lib/${file}`,
        ]),
        file,
      ),
    ],
    "write-stale": [
      style.edit,
      { [style.argument]: path, old_string: "a", new_string: "b" },
      error(
        "precondition",
        pick([
          `${file} was changed on disk after it was read. Read it again before editing.`,
          `Stale content: ${file} has been modified since the last read`,
        ]),
        file,
        ["error"],
      ),
    ],
    "edit-missing-text": [
      style.edit,
      { [style.argument]: path, old_string: old, new_string: "" },
      error(
        "precondition",
        pick([
          `The text to replace was not found in ${file}.\nSearched for: ${old}`,
          `old_string not found in ${path}. Nothing was changed.`,
          `Could not locate the given block in ${file}; 0 of 1 edits applied`,
          `No match for the search text in ${file} (similarity 41%)`,
        ]),
        file,
        ["not_found", "error"],
      ),
    ],
    "edit-ambiguous": [
      style.edit,
      { [style.argument]: path, old_string: "error", new_string: "err" },
      error(
        "precondition",
        pick([
          `Found 3 matches of the text in ${file}, expected exactly 1. Add more context or set replace_all.`,
          `The search text occurs 3 times in ${file} and must be unique`,
        ]),
        file,
        ["invalid_arguments", "error"],
      ),
    ],
    "edit-identical": [
      style.edit,
      { [style.argument]: path, old_string: "a", new_string: "a" },
      error(
        "invalid_arguments",
        pick([
          "old_string and new_string are the same: nothing to do",
          `No changes were made to ${file}: the replacement equals the original text`,
        ]),
        "",
        ["precondition", "error"],
      ),
    ],
    "edit-argument-missing": [
      style.edit,
      { [style.argument]: path },
      error(
        "invalid_arguments",
        pick([
          "Missing required parameter: new_string",
          "Invalid arguments: new_string: expected a string, received undefined",
          "'new_string' is a required property",
        ]),
        "new_string",
      ),
    ],
    "edit-ok": [
      style.edit,
      { [style.argument]: path, old_string: lines[0], new_string: "// changed" },
      ok(
        pick([
          `Replaced 1 occurrence in ${file}`,
          `The file ${path} has been updated. Here is the edited part:\n${shown}`,
          `Applied 1 of 1 edits to ${file}`,
        ]),
      ),
    ],
    "edit-diff": [
      style.edit,
      { [style.argument]: path, old_string: lines[0], new_string: "// changed" },
      ok(`--- a/${file}\n+++ b/${file}\n@@ -1,1 +1,1 @@\n-${lines[0]}\n+throw new Error("${words.msg}");`),
    ],
    "edit-partial": [
      style.edit,
      { [style.argument]: path, edits: 3 },
      error(
        "precondition",
        pick([
          `2 of 3 edits failed in ${file}; the file was not written`,
          `Patch failed: hunk 2 does not apply to ${file}`,
        ]),
        file,
        ["error", "failed"],
      ),
    ],
    "list-ok": [style.list, { path: cwd }, ok(`errors/\nsrc/\n${file}\nfailed-jobs.txt`)],
    "list-missing": [
      style.list,
      { path: `${cwd}/${words.dir}x` },
      error(
        "not_found",
        pick([
          `Directory ${words.dir}x not found`,
          `ENOENT: no such file or directory, scandir '${cwd}/${words.dir}x'`,
          `${words.dir}x: no such folder`,
        ]),
        `${words.dir}x`,
      ),
    ],
    "list-empty": [style.list, { path: `${cwd}/src` }, ok(pick(["(empty folder)", "No files found", "0 entries"]))],
    "search-ok": [
      style.search,
      { pattern: "error", path: cwd },
      ok(hit < 0 ? "No matches found" : `Found 1 match\n${file}:${hit + 1}: ${lines[hit]}`),
    ],
    "search-none": [
      style.search,
      { pattern: words.id, path: cwd },
      ok(pick(["No matches found", `No results for "${words.id}"`, "0 matches in 12 files"])),
    ],
    "search-bad-pattern": [
      style.search,
      { pattern: "(open", path: cwd },
      error(
        "invalid_arguments",
        pick([
          "Invalid regular expression: /(open/: Unterminated group",
          "regex parse error: unclosed group in (open",
          "Pattern (open is not valid",
        ]),
        "(open",
        ["error"],
      ),
    ],
    "search-missing": [
      style.search,
      { pattern: "x", path: `${cwd}/${words.dir}x` },
      error(
        "not_found",
        pick([`Path does not exist: ${words.dir}x`, `rg: ${words.dir}x: No such file or directory (os error 2)`]),
        `${words.dir}x`,
      ),
    ],
  };
  return results;
}

const SEEDS = 4;

async function produce({ scratch }: ProducerContext): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [n, style] of STYLES.entries())
    for (let k = 0; k < SEEDS; k++) {
      const seed = 50_000 + n * 101 + k * 7;
      const folder = join(scratch, `${n}-${k}`);
      mkdirSync(folder, { recursive: true });
      for (const [breakage, [tool, args, outcome]] of Object.entries(outcomes(style, wordsOf(seed), folder, seed)))
        rows.push({
          ...{
            id: `file-tools/${style.name}/${breakage}/${seed}`,
            family: "file-tools",
            program: style.name,
            breakage,
            language: "en",
          },
          ...{
            tool_name: tool,
            arguments: args,
            content: outcome.text,
            status_shown: "hidden",
            status_style: "none",
            exit_code: null,
          },
          ...{ label: outcome.label, category: outcome.category, also: outcome.also ?? [], fact: outcome.fact ?? "" },
          ...{ soft: false, convention: null, seed },
        });
    }
  return rows;
}

export const FILE_TOOLS: Producer = { name: "file-tools", version: "2", produce };
