import { existsSync, readFileSync } from "node:fs";
import { type Fields, isFields } from "../hook-event.ts";

/** What stands in the way of our hooks in Claude Code's settings: one sentence each, with the file. */
export function hookObstacles(files: readonly string[], url: string | undefined): readonly string[] {
  return files.flatMap((file) => {
    const settings = readSettings(file);
    return settings === undefined ? [] : obstaclesIn(settings, file, url);
  });
}

function obstaclesIn(settings: Fields, file: string, url: string | undefined): readonly string[] {
  const found: string[] = [];
  if (settings.disableAllHooks === true) found.push(`${file} switches all hooks off (disableAllHooks).`);
  if (settings.allowManagedHooksOnly === true) {
    found.push(`${file} allows an administrator's hooks only (allowManagedHooksOnly): ask for ours to be added there.`);
  }
  const allowed = settings.allowedHttpHookUrls;
  if (url !== undefined && Array.isArray(allowed) && !allowed.some((pattern) => matches(pattern, url))) {
    found.push(`${file} does not allow ${url} (allowedHttpHookUrls): add it, or install with --spool.`);
  }
  return found;
}

/** `*` stands for anything. */
function matches(pattern: unknown, url: string): boolean {
  if (typeof pattern !== "string") return false;
  const [first = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return pattern === url;
  if (!url.startsWith(first)) return false;
  let from = first.length;
  for (const [at, part] of rest.entries()) {
    if (at === rest.length - 1) return url.length - part.length >= from && url.endsWith(part);
    const next = url.indexOf(part, from);
    if (next === -1) return false;
    from = next + part.length;
  }
  return true;
}

function readSettings(file: string): Fields | undefined {
  try {
    const value: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
