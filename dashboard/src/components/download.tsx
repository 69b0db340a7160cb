import { csvOf } from "../csv.ts";

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
