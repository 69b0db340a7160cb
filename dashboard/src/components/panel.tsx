import type { ComponentChildren } from "preact";

interface PanelProps {
  readonly title: string;
  /** How many rows there are and how many are shown. */
  readonly note: string;
  readonly children: ComponentChildren;
}

export function Panel({ title, note, children }: PanelProps) {
  return (
    <section class="panel" aria-label={title}>
      <h2>
        {title} <span class="note">{note}</span>
      </h2>
      {children}
    </section>
  );
}

/** In the place of rows. */
export function NoRows({ columns, children }: { readonly columns: number; readonly children: ComponentChildren }) {
  return (
    <tr class="no-rows">
      <td colSpan={columns}>{children}</td>
    </tr>
  );
}

/** "3 of 12" while a filter hides some, else "12". */
export function shownOf(shown: number, all: number): string {
  return shown === all ? `${all}` : `${shown} of ${all}`;
}
