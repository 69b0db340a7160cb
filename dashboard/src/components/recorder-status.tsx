import type { ServerStatus } from "../../../src/api/server-status.ts";
import { recorderProblems } from "./recorder-problems.ts";

/** Shown only if records are lost or delayed: what is affected, and what to do. */
export function RecorderStatus({ status }: { readonly status: ServerStatus | undefined }) {
  const problems = status === undefined ? [] : recorderProblems(status);
  if (problems.length === 0) return null;
  return (
    <div class="notice notice-bad" role="alert" aria-label="Recorder">
      <span class="glyph" aria-hidden="true">
        ✕
      </span>
      <ul>
        {problems.map(({ what, advice }) => (
          <li key={what}>
            <strong>{what}</strong> {advice}
          </li>
        ))}
      </ul>
    </div>
  );
}
