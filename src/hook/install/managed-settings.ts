import { existsSync, readFileSync } from "node:fs";
import { type Fields, isFields } from "../hook-event.ts";

/** Finds settings of Claude Code that prevent hooks from running. Returns one sentence each, with the file name. */
export function hookObstacles(files: readonly string[], url: string | undefined): readonly string[] {
  return files.flatMap((file) => {
    const settings = readSettings(file);
    return settings === undefined ? [] : obstaclesIn(settings, file, url);
  });
}

function obstaclesIn(settings: Fields, file: string, url: string | undefined): readonly string[] {
  const found: string[] = [];
  if (settings.disableAllHooks === true) found.push(`${file} disables all hooks (disableAllHooks).`);
  if (settings.allowManagedHooksOnly === true) {
    found.push(`${file} allows managed hooks only (allowManagedHooksOnly). Ask your administrator to add Toolmend.`);
  }
  const allowed = settings.allowedHttpHookUrls;
  if (url !== undefined && Array.isArray(allowed) && !allowed.some((pattern) => matches(pattern, url))) {
    found.push(`${file} does not allow ${url} (allowedHttpHookUrls). Add it, or install with --spool.`);
  }
  return found;
}

/** `*` matches any text. */
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
