import type { ComponentChildren } from "preact";
import { count } from "../format.ts";
import type { Query } from "../route.ts";
import { CallsLink } from "./calls-link.tsx";

export interface Share {
  readonly key: string;
  readonly label: ComponentChildren;
  readonly value: number;
  /** The calls that the line counts, and the filters that list them. */
  readonly calls: number;
  readonly query: Query;
  /** Shown at the end of the line instead of the value. */
  readonly end?: ComponentChildren;
}

interface ShareListProps {
  readonly shares: readonly Share[];
  readonly label: string;
  /** What a full bar means; by default the largest value. */
  readonly full?: number;
}

/** Lines with bars. */
export function ShareList({ shares, label, full }: ShareListProps) {
  const most = full ?? Math.max(1e-9, ...shares.map(({ value }) => value));
  return (
    <ul class="shares" aria-label={label}>
      {shares.map((share) => (
        <li key={share.key}>
          <span class="share-label">{share.label}</span>
          <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
            <rect class="bar-failed" width={(100 * share.value) / most} height="1" />
          </svg>
          <span class="share-end">
            <CallsLink calls={share.calls} query={share.query}>
              {share.end ?? count(share.value)}
            </CallsLink>
          </span>
        </li>
      ))}
    </ul>
  );
}
