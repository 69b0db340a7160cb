import { nextSort, type Sort, sortText } from "../sort.ts";
import { show } from "../state.ts";

interface SortHeaderProps<C extends string> {
  readonly sort: Sort<C>;
  readonly column: C;
  readonly label: string;
  readonly hint: string;
  readonly class?: string;
  readonly isText?: boolean;
}

export function SortHeader<C extends string>(props: SortHeaderProps<C>) {
  const { sort, column, label, hint, class: name, isText = false } = props;
  const active = sort.column === column;
  const direction = sort.descending ? "descending" : "ascending";
  return (
    <th scope="col" class={name} aria-sort={active ? direction : "none"}>
      <button type="button" title={hint} onClick={() => show({ sort: sortText(nextSort(sort, column, isText)) })}>
        {label}
        <span class="arrow" aria-hidden="true">
          {active ? (sort.descending ? "↓" : "↑") : ""}
        </span>
      </button>
    </th>
  );
}
