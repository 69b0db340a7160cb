import { exactTime } from "../format.ts";
import { answeredAt, problem, refresh } from "../queries.ts";

export function LoadProblem() {
  if (problem.value === undefined) return null;
  const at = answeredAt.value;
  return (
    <div class="notice notice-bad" role="alert">
      <span class="glyph" aria-hidden="true">
        ✕
      </span>
      <p>
        <strong>{problem.value}</strong> {at !== undefined && `What is shown is of ${exactTime(at)}. `}
        This page tries again every few seconds.
      </p>
      <button type="button" onClick={() => void refresh()}>
        Try now
      </button>
    </div>
  );
}
