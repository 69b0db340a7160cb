import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import {
  addGroups,
  type HookGroups,
  parseSettings,
  removeToolmendHooks,
  sameGroups,
  toolmendGroups,
} from "./settings-text.ts";
import { isToolmendHook } from "./toolmend-hooks.ts";

/** The effect of installing or removing hooks. */
export interface SettingsChange {
  readonly path: string;
  readonly done: "written" | "unchanged" | "removed";
  readonly backup?: string;
}

/** Adds Toolmend hooks to a settings file and saves the original as a backup. Idempotent. */
export function installHooks(path: string, groups: HookGroups): SettingsChange {
  const file = realPath(path);
  const text = textOf(file);
  if (sameGroups(toolmendGroups(text ?? "", isToolmendHook), groups)) return { path, done: "unchanged" };
  const before = text === undefined ? undefined : originalOf(file, text);
  const original = before === undefined || isOwnFile(file, text, before) ? undefined : before;
  if (original !== undefined) replaceFile(backupOf(file), original, file);
  else rmSync(backupOf(file), { force: true });
  replaceFile(file, addGroups(original ?? "", groups), file);
  return { path, done: "written", ...(original !== undefined && { backup: backupOf(file) }) };
}

/** Removes Toolmend hooks. If nothing else has changed since the install, restores the original byte for byte. */
export function uninstallHooks(path: string): SettingsChange {
  const file = realPath(path);
  const text = textOf(file);
  if (text === undefined || Object.keys(toolmendGroups(text, isToolmendHook)).length === 0)
    return { path, done: "unchanged" };
  const original = originalOf(file, text);
  if (isOwnFile(file, text, original)) {
    rmSync(file);
    return { path, done: "removed" };
  }
  replaceFile(file, original, file);
  // Also if the client has rewritten the file since: then the backup is older than the current settings.
  rmSync(backupOf(file), { force: true });
  return { path, done: "written" };
}

export function installedHooks(path: string): HookGroups {
  return toolmendGroups(textOf(path) ?? "", isToolmendHook);
}

/**
 * Returns the text without Toolmend hooks: the backup if adding the hooks to it gives exactly `text`, else an edited
 * copy.
 */
function originalOf(file: string, text: string): string {
  const groups = toolmendGroups(text, isToolmendHook);
  const backup = textOf(backupOf(file));
  if (backup !== undefined && Object.keys(groups).length > 0 && producesText(backup, groups, text)) return backup;
  return removeToolmendHooks(text, isToolmendHook);
}

/** Whether an install created the file, and it contains nothing else: `original` is its text without Toolmend hooks. */
function isOwnFile(file: string, text: string | undefined, original: string): boolean {
  if (text === original || existsSync(backupOf(file))) return false;
  return Object.keys(parseSettings(original)).length === 0;
}

function producesText(backup: string, groups: HookGroups, text: string): boolean {
  try {
    return addGroups(backup, groups) === text;
  } catch {
    return false;
  }
}

function backupOf(file: string): string {
  return `${file}.toolmend-backup`;
}

function textOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/** Resolves links: settings are often links into a version-controlled folder, and replacing the link would break it. */
export function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? resolve(dirname(path), readlinkSync(path)) : path;
}

/**
 * Replaces the file atomically, because an agent may be reading it. Settings may contain keys, so the new file is
 * created with the mode of the original.
 */
export function replaceFile(path: string, text: string, like: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const next = `${path}.toolmend-new`;
  const mode = existsSync(like) ? statSync(like).mode & 0o777 : undefined;
  rmSync(next, { force: true });
  writeFileSync(next, text, { flag: "wx", ...(mode !== undefined && { mode }) });
  if (mode !== undefined) chmodSync(next, mode);
  renameSync(next, path);
}
