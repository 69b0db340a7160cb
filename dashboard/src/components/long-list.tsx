import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";

const AT_FIRST = 50;

/** The first rows of a list, and a button for the rest: a page that is redrawn every second stays small unless asked otherwise. */
export function useLongList<Row>(rows: readonly Row[]): {
  readonly first: readonly Row[];
  readonly more: ComponentChildren;
} {
  const all = useSignal(false);
  const hidden = rows.length - AT_FIRST;
  if (all.value || hidden <= 0) return { first: rows, more: null };
  const more = (
    <button
      type="button"
      class="more"
      onClick={() => {
        all.value = true;
      }}
    >
      Show {hidden} more
    </button>
  );
  return { first: rows.slice(0, AT_FIRST), more };
}
