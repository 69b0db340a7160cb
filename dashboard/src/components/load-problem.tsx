import { exactTime } from "../format.ts";
import { problem, refresh, updatedAt } from "../queries.ts";

export function LoadProblem() {
  if (problem.value === undefined) return null;
  const at = updatedAt.value;
  return (
    <div class="notice notice-bad" role="alert">
      <span class="glyph" aria-hidden="true">
        ✕
      </span>
      <p>
        <strong>{problem.value}</strong> {at !== undefined && `Showing data from ${exactTime(at)}. `}
        This page retries every few seconds.
      </p>
      <button type="button" onClick={() => void refresh()}>
        Retry now
      </button>
    </div>
  );
}
