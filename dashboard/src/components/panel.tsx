import type { ComponentChildren } from "preact";
import { csvOf } from "../csv.ts";

interface PanelProps {
  readonly title: string;
  /** Number of rows, and of those shown. */
  readonly note?: string | undefined;
  /** Rows to offer as a download. */
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

/** A short text shown instead of missing content. */
export function EmptyMessage({ children }: { readonly children: ComponentChildren }) {
  return <p class="nothing">{children}</p>;
}

/** "3 of 12" if a filter hides some, otherwise "12". */
export function shownOf(shown: number, all: number): string {
  return shown === all ? `${all}` : `${shown} of ${all}`;
}

/** Downloads the rows that are shown, so the page's filters apply to the file. */
export function Download({ name, rows }: { readonly name: string; readonly rows: readonly object[] }) {
  const file = `toolmend-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;
  return (
    <span class="downloads">
      <button
        type="button"
        aria-label={`Download ${name} as CSV`}
        title="Download the shown rows as CSV"
        onClick={() => save(`${file}.csv`, "text/csv", csvOf(rows))}
      >
        CSV
      </button>
      <button
        type="button"
        aria-label={`Download ${name} as JSON`}
        title="Download the shown rows as JSON"
        onClick={() => save(`${file}.json`, "application/json", `${JSON.stringify(rows, null, 2)}\n`)}
      >
        JSON
      </button>
    </span>
  );
}

function save(name: string, type: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
