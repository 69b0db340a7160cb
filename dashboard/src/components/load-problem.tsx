import type { Snapshot } from "../api.ts";
import { exactTime } from "../format.ts";
import { problem, refresh, snapshot, view } from "../state.ts";

export function LoadProblem() {
  if (problem.value === undefined) return null;
  const old = snapshot.value;
  return (
    <div class="notice notice-bad" role="alert">
      <span class="glyph" aria-hidden="true">
        ✕
      </span>
      <p>
        <strong>{problem.value}</strong> {old !== undefined && `${ageOf(old)} `}
        This page tries again every few seconds.
      </p>
      <button type="button" onClick={() => void refresh()}>
        Try now
      </button>
    </div>
  );
}

function ageOf({ at, range }: Snapshot): string {
  const other = range === view.value.range ? "" : `, and of the range ${range}`;
  return `The numbers below are of ${exactTime(at)}${other}.`;
}
