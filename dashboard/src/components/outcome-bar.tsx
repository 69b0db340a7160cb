import type { Tally } from "../../../src/core/model/session-record.ts";

const LEAST_VISIBLE = 3;

/** Failed, unknown and ok as parts of all calls. Hidden from screen readers, because the numbers are next to it. */
export function OutcomeBar({ tally }: { readonly tally: Pick<Tally, "calls" | "failed" | "unknown"> }) {
  const share = (part: number): number =>
    part === 0 || tally.calls === 0 ? 0 : Math.max(LEAST_VISIBLE, (100 * part) / tally.calls);
  const failed = share(tally.failed);
  const unknown = Math.min(share(tally.unknown), 100 - failed);
  const ok = tally.calls === 0 ? 0 : 100 - failed - unknown;
  return (
    // SVG attributes, because the content security policy forbids inline styles.
    <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      <rect class="bar-track" width="100" height="1" />
      <rect class="bar-failed" width={failed} height="1" />
      <rect class="bar-unknown" x={failed} width={unknown} height="1" />
      <rect class="bar-ok" x={failed + unknown} width={ok} height="1" />
    </svg>
  );
}
