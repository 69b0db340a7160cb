import { callKeyText } from "../../src/core/model/call-key.ts";
import { type CallRecord, recordStatus, toolName } from "../../src/core/model/call-record.ts";
import type { Observation } from "../../src/core/model/observation.ts";
import { lines } from "./observations.ts";
import type { TestStore } from "./test-store.ts";

let projects = 0;

/** Applies observations one by one in a new project. Returns it, and how many calls the live counters got. */
export async function applyOneByOne(
  store: TestStore,
  observations: readonly Observation[],
): Promise<{ readonly project: string; readonly counted: number }> {
  projects += 1;
  const project = `p${projects}`;
  let counted = 0;
  for (const observation of observations) {
    const applied = await store.apply({
      ...{ journal: "j", position: "1", live: true },
      lines: lines({ ...observation, project }),
    });
    counted += applied.counted.length;
  }
  return { project, counted };
}

/** A record in one line: key, tool, status, duration, what `more` adds, and its sources. */
export function recordLine(record: CallRecord, ...more: readonly unknown[]): string {
  const [, ...key] = callKeyText(record.key).split("\u0000");
  return [
    ...[key.join(" "), toolName(record), recordStatus(record), record.facts.execution_time_ms?.value ?? "-"],
    ...[...more, record.sources.join("+")],
  ].join(" | ");
}
