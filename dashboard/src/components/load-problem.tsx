import { exactTime } from "../format.ts";
import { problem, refresh, snapshot } from "../state.ts";

export function LoadProblem() {
  if (problem.value === undefined) return null;
  const old = snapshot.value;
  return (
    <div class="notice notice-bad" role="alert">
      <span class="glyph" aria-hidden="true">
        ✕
      </span>
      <p>
        <strong>{problem.value}</strong> {old === undefined ? "" : `The numbers below are of ${exactTime(old.at)}. `}
        This page tries again every few seconds.
      </p>
      <button type="button" onClick={() => void refresh()}>
        Try now
      </button>
    </div>
  );
}
