import type { ComponentChildren } from "preact";
import { csvOf } from "../csv.ts";

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

/** What is shown, as a file: the filters of the page are the filters of the file. */
export function Download({ name, rows }: { readonly name: string; readonly rows: readonly object[] }) {
  const file = `toolmend-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;
  return (
    <span class="downloads">
      <button
        type="button"
        aria-label={`Download ${name} as CSV`}
        title="Download what is shown as CSV"
        onClick={() => save(`${file}.csv`, "text/csv", csvOf(rows))}
      >
        CSV
      </button>
      <button
        type="button"
        aria-label={`Download ${name} as JSON`}
        title="Download what is shown as JSON"
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
