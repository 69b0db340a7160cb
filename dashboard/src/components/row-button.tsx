import type { ComponentChildren } from "preact";
import { place, show } from "../state.ts";

/** Name of a row; opens it in the side pane. */
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
