import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { SettingsChange } from "./settings-file.ts";
import { SettingsError } from "./settings-text.ts";

const DEFAULT_URL = '"http://127.0.0.1:4100"';
const PLUGIN_HEADER = "// Toolmend for opencode:";

/** Returns the plugin source with the server's address filled in. */
export function pluginText(source: string, url: string): string {
  return source.replace(DEFAULT_URL, JSON.stringify(url));
}

export function installPlugin(path: string, text: string): SettingsChange {
  if (existsSync(path)) {
    if (readFileSync(path, "utf8") === text) return { path, done: "unchanged" };
    assertToolmendPlugin(path);
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return { path, done: "written" };
}

export function uninstallPlugin(path: string): SettingsChange {
  if (!existsSync(path)) return { path, done: "unchanged" };
  assertToolmendPlugin(path);
  rmSync(path);
  return { path, done: "removed" };
}

export function isPluginInstalled(path: string): boolean {
  return existsSync(path) && readFileSync(path, "utf8").startsWith(PLUGIN_HEADER);
}

function assertToolmendPlugin(path: string): void {
  if (!isPluginInstalled(path)) throw new SettingsError("the file is not the Toolmend plugin");
}
