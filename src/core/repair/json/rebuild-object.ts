import { memberSpans } from "./json-spans.ts";

/**
 * The object at `at`, with members replaced, added, or removed (undefined). Values are JSON texts; other members are
 * copied unchanged.
 */
export function rebuildObject(source: string, at: number, changes: ReadonlyMap<string, string | undefined>): string {
  const parts: string[] = [];
  const members = memberSpans(source, at) ?? new Map();
  for (const [name, { start, end }] of members) {
    const value = changes.has(name) ? changes.get(name) : source.slice(start, end);
    if (value !== undefined) parts.push(`${JSON.stringify(name)}:${value}`);
  }
  for (const [name, value] of changes)
    if (value !== undefined && !members.has(name)) parts.push(`${JSON.stringify(name)}:${value}`);
  return `{${parts.join(",")}}`;
}
