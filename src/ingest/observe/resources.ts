import { toolKind } from "../../core/detect/call/tool-kind.ts";
import type { Hasher } from "../../core/model/call-key.ts";
import { DOT, SLASH } from "../../core/text/char-codes.ts";
import { readCommand } from "./command-resources.ts";

/** Argument names that identify the resource of a call. */
const RESOURCE_KEYS: readonly (readonly [kind: "path" | "url" | "command", names: readonly string[]])[] = [
  ["path", ["path", "file", "file_path", "filepath", "filename", "notebook_path", "directory", "dir", "absolute_path"]],
  ["url", ["url", "uri", "href", "endpoint"]],
  ["command", ["command", "cmd", "script"]],
];

/** Tools that create something. When they fail, what they name does not exist. */
const CREATES =
  /(?:^|[_-]|(?<=[a-z]))(?:create|add|new|make|insert|register|upload|save|write|generate|clone|init|start|open|book)/i;

const MAX_RESOURCES = 24;

/**
 * Returns the resources of a call as salted hashes, at most 24. `core/score/link-call.ts` describes the kinds.
 */
export function resourcesOf(
  entries: readonly (readonly [name: string, value: unknown])[],
  tool: string | undefined,
  hash: Hasher,
): readonly string[] {
  const found = new Set<string>();
  const add = (kind: string, text: string): void => {
    if (found.size < MAX_RESOURCES) found.add(`${kind}:${hash(text).slice(0, 12)}`);
  };
  const creates = tool !== undefined && (toolKind(tool, undefined) === "edit" || CREATES.test(tool.slice(0, 100)));
  for (const [name, value] of entries.slice(0, 64)) {
    const kind = RESOURCE_KEYS.find(([, names]) => names.includes(name.toLowerCase()))?.[0];
    if (kind === "path") addPath(add, "path", value, creates);
    else if (kind === "url" && typeof value === "string" && value !== "") add("url", normalizeUrl(value));
    else if (kind === "command") addCommand(add, value);
    else if (isId(name, value)) {
      add("id", `id ${value}`);
      if (creates) add("makes", `id ${value}`);
    }
  }
  return [...found].sort();
}

type Add = (kind: string, text: string) => void;

function addPath(add: Add, kind: "path" | "target", value: unknown, creates: boolean, base = ""): void {
  const path = typeof value === "string" ? normalizePath(value, base) : undefined;
  if (path === undefined) return;
  const { ends, folders } = pathForms(path);
  add(kind, path);
  if (creates) add("makes", path);
  for (const end of ends) add("end", end);
  for (const folder of folders) add("under", folder);
}

function addCommand(add: Add, value: unknown): void {
  const last = Array.isArray(value) ? value.at(-1) : value;
  if (typeof last !== "string" || last === "") return;
  const { core, targets, makes, urls, provides, needs, base } = readCommand(last);
  add("command", core);
  for (const url of urls) add("url", normalizeUrl(url));
  for (const name of provides) add("makes", `dependencies ${name}`);
  for (const name of needs) add("needs", `dependencies ${name}`);
  for (const path of makes) addPath(add, "target", path, true, base);
  for (const path of targets) addPath(add, "target", path, false, base);
}

/** Whether the name ends in "id" and the value could be one. */
function isId(name: string, value: unknown): boolean {
  if (!/(?:^|_)id$|[a-z]I[dD]$/.test(name.slice(-64))) return false;
  return (typeof value === "string" && value !== "" && value.length <= 200) || Number.isSafeInteger(value);
}

/** Removes the fragment and the final slash. */
function normalizeUrl(url: string): string {
  return url.slice(0, 2000).replace(/#.*$/s, "").replace(/\/$/, "");
}

const MAX_SCANNED_CHARS = 600;
const MAX_NAMED_RESOURCES = 6;

/** Returns the paths in the first 600 characters of a failure's text, as `named:hash`. */
export function namedPaths(text: string, hash: Hasher): readonly string[] {
  const named = new Set<string>();
  for (const part of pathParts(text.slice(0, MAX_SCANNED_CHARS)))
    for (const [word] of part.matchAll(NAMED_PATH)) {
      const path = normalizePath(word.replace(/[.:,]+$/, ""), "");
      if (path !== undefined && named.size < MAX_NAMED_RESOURCES) named.add(`named:${hash(path).slice(0, 12)}`);
    }
  return [...named].sort();
}

const NAMED_PATH = /[\w.~@+-]*\/[\w.~@+\-/]+|[\w-]+\.\w{1,8}/g;

/** Characters that {@link NAMED_PATH} matches. */
const IN_PATH = Uint8Array.from({ length: 128 }, (_, code) => Number(/[\w.~@+\-/]/.test(String.fromCharCode(code))));

/** The parts of a text between characters that no path has, if they have a slash or a dot: most words have none. */
function pathParts(text: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let isPath = false;
  for (let at = 0; at <= text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 128 && IN_PATH[code] === 1) {
      isPath ||= code === SLASH || code === DOT;
      continue;
    }
    if (isPath) parts.push(text.slice(start, at));
    isPath = false;
    start = at + 1;
  }
  return parts;
}

const MAX_PATH_CHARS = 400;
/** Number of suffixes and of parent folders stored per path. */
const MAX_PATH_FORMS = 2;

/** Paths too common to link two calls. */
const UNSPECIFIC_PATHS = new Set([
  "",
  ".",
  "..",
  "/",
  "~",
  "/dev/null",
  "/tmp",
  "/dev/stdin",
  "/dev/stdout",
  "/dev/stderr",
]);

/** Normalizes a path; undefined if it is too unspecific. `base` is the folder of relative paths, if known. */
export function normalizePath(path: string, base: string): string | undefined {
  if (path.length > MAX_PATH_CHARS || path.includes("\n")) return undefined;
  const whole = base === "" || /^[/~]/.test(path) ? path : `${base}/${path}`;
  const parts: string[] = [];
  for (const part of whole.replaceAll("\\", "/").split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else parts.push(part);
  }
  const normal = (whole.startsWith("/") ? "/" : "") + parts.join("/");
  return UNSPECIFIC_PATHS.has(normal) ? undefined : normal;
}

/** Returns suffixes of an absolute path, to match relative paths, and its parent folders. */
export function pathForms(path: string): { readonly ends: readonly string[]; readonly folders: readonly string[] } {
  const parts = path.split("/").filter((part) => part !== "");
  const absolute = path.startsWith("/");
  const ends: string[] = [];
  const folders: string[] = [];
  for (let n = 1; n <= MAX_PATH_FORMS && n < parts.length; n += 1) {
    if (absolute) ends.push(parts.slice(-n).join("/"));
    folders.push((absolute ? "/" : "") + parts.slice(0, -n).join("/"));
  }
  return { ends, folders: folders.filter((folder) => !UNSPECIFIC_PATHS.has(folder)) };
}
