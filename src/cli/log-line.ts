import { isObject } from "../core/model/narrow.ts";
import type { Colors, Style } from "./format.ts";
import { oneLineText } from "./table.ts";

const LEVELS: Readonly<Record<number, readonly [name: string, style: Style | undefined]>> = {
  20: ["debug", "faint"],
  30: ["info", undefined],
  40: ["warn", "doubtful"],
  50: ["error", "bad"],
  60: ["fatal", "bad"],
};

/** Formats a JSON line of the log for a person: time (UTC), level, message and fields. Other lines stay unchanged. */
export function formatLogLine(line: string, paint: Colors): string {
  const entry = parseLine(line);
  if (entry === undefined) return line;
  // The name selects lines in log files; for a person, the message has the same content.
  const { level, time, msg, name: _name, ...fields } = entry;
  const [levelName, style] = LEVELS[Number(level)] ?? ["info", undefined];
  const at = new Date(Number(time)).toISOString().slice(11, 19);
  const details = Object.entries(fields)
    .filter(([, value]) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([key, value]) => `${key}=${valueText(value)}`);
  const texts = [typeof msg === "string" ? oneLineText(msg) : "", paint("faint", oneLineText(details.join(" ")))];
  return `${paint("faint", at)} ${paint(style, levelName.padEnd(5))} ${texts.filter((text) => text !== "").join("  ")}\n`;
}

function parseLine(line: string): Record<string, unknown> | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return isObject(entry) && Number.isFinite(entry.time) ? entry : undefined;
  } catch {
    return undefined;
  }
}

/** Errors as their message; lists separated by commas. */
function valueText(value: unknown): string {
  if (typeof value === "string") return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
  if (Array.isArray(value)) return value.map(valueText).join(",");
  if (isObject(value) && typeof value.message === "string") return valueText(value.message);
  return JSON.stringify(value);
}
