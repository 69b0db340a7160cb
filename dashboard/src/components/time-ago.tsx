import { ago, exactTime } from "../format.ts";
import { now } from "../state.ts";

export function TimeAgo({ at }: { readonly at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={exactTime(at)}>
      {ago(at, now.value)}
    </time>
  );
}
