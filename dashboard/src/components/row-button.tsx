import type { ComponentChildren } from "preact";
import { place, show } from "../state.ts";

/** Names a row, and opens it in the pane beside the page. */
export function RowButton({ opens, children }: { readonly opens: string; readonly children: ComponentChildren }) {
  return (
    <button
      type="button"
      class="with-glyph row-button"
      data-row=""
      aria-pressed={place.value.query.open === opens}
      onClick={() => show({ open: opens })}
    >
      {children}
    </button>
  );
}
