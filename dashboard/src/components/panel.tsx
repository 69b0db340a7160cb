import type { ComponentChildren } from "preact";
import { Download } from "./download.tsx";

interface PanelProps {
  readonly title: string;
  /** How many rows there are and how many are shown. */
  readonly note?: string | undefined;
  /** What a download holds. */
  readonly rows?: readonly object[] | undefined;
  readonly class?: string;
  readonly busy?: boolean;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Panel({ title, note, rows, class: name = "", busy = false, actions, children }: PanelProps) {
  return (
    <section class={`panel ${name}`} aria-label={title} aria-busy={busy}>
      <header class="panel-head">
        <h2>
          {title} {note !== undefined && <span class="note">{note}</span>}
        </h2>
        {actions}
        {rows !== undefined && rows.length > 0 && <Download name={title} rows={rows} />}
      </header>
      {children}
    </section>
  );
}

/** Something short in the place of what is not there. */
export function EmptyMessage({ children }: { readonly children: ComponentChildren }) {
  return <p class="nothing">{children}</p>;
}

/** "3 of 12" while a filter hides some, else "12". */
export function shownOf(shown: number, all: number): string {
  return shown === all ? `${all}` : `${shown} of ${all}`;
}
