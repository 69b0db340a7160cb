import { points } from "../format.ts";

/** Change of a rate against the previous window, in percentage points. */
export function Change({ change }: { readonly change: number | null }) {
  if (change === null) return <span class="faint">–</span>;
  if (Math.abs(change) < 0.0005) return <span class="faint">±0</span>;
  const worse = change > 0;
  return (
    <span class={worse ? "tone-bad" : "tone-ok"} title={`${points(change)} points against the previous window`}>
      <span aria-hidden="true">{worse ? "▲" : "▼"}</span> {points(change)}
    </span>
  );
}
