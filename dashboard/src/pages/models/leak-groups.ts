import type { LeakRow } from "../../../../src/store/port.ts";

export interface LeakGroup {
  readonly model: string | null;
  readonly format: string;
  /** Calls that could be read; for what could not, one each. */
  readonly mended: number;
  readonly left: number;
  readonly reasons: readonly string[];
}

/** Leaks by model and format, the most first. */
export function leakGroups(rows: readonly LeakRow[]): readonly LeakGroup[] {
  const groups = new Map<
    string,
    { model: string | null; format: string; mended: number; left: number; reasons: string[] }
  >();
  for (const { model, format, result, parsed, reason } of rows) {
    const key = JSON.stringify([model, format]);
    const group = groups.get(key) ?? { model, format, mended: 0, left: 0, reasons: [] };
    groups.set(key, group);
    if (result === "recovered") group.mended += Math.max(1, parsed);
    else group.left += Math.max(1, parsed);
    if (reason !== null && !group.reasons.includes(reason)) group.reasons.push(reason);
  }
  return [...groups.values()].sort((a, b) => b.mended + b.left - (a.mended + a.left));
}
