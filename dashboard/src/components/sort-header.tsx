import { nextSort, type ToolColumn } from "../sort-tools.ts";
import { show, view } from "../state.ts";

interface SortHeaderProps {
  readonly column: ToolColumn;
  readonly label: string;
  readonly hint: string;
  readonly class: string;
}

export function SortHeader({ column, label, hint, class: name }: SortHeaderProps) {
  const { sort } = view.value;
  const active = sort.column === column;
  const direction = sort.descending ? "descending" : "ascending";
  return (
    <th scope="col" class={name} aria-sort={active ? direction : "none"}>
      <button type="button" title={hint} onClick={() => show({ sort: nextSort(sort, column) })}>
        {label}
        <span class="arrow" aria-hidden="true">
          {active ? (sort.descending ? "↓" : "↑") : ""}
        </span>
      </button>
    </th>
  );
}
