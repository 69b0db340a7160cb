import type { ComponentChildren } from "preact";
import { nextSort, type Sort, sortText } from "../sort.ts";
import { show } from "../state.ts";
import { useWindowed } from "./windowed.ts";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Sets its width and the screen sizes it is shown on. */
  readonly class?: string;
  readonly hint?: string;
  /** In px, if no class sets it. */
  readonly width?: number;
  /** Its name in the URL, if rows can be sorted by it. */
  readonly sort?: string;
  /** Sorted as text, ascending first. */
  readonly isText?: boolean;
}

interface TableProps<Row> {
  readonly label: string;
  readonly class?: string;
  readonly columns: readonly Column<Row>[];
  /** Index of the column that names the row. */
  readonly name?: number;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly rowClass?: (row: Row) => string;
  readonly sort?: Sort;
  /** Drawn over the rows in the given range. */
  readonly drawing?: (from: number, to: number) => ComponentChildren;
  /** Shown if there are no rows. */
  readonly nothing: ComponentChildren;
}

/** A table that renders only rows near the viewport if there are many. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, class: style, columns, name = 0, rows, keyOf, rowClass, sort, drawing, nothing } = props;
  const { body, from, to, above, below } = useWindowed(rows.length);
  const table = (
    <table class={style} aria-label={label} aria-rowcount={rows.length + 1}>
      <thead>
        <tr>
          {columns.map((column) => (
            <Head key={column.title} column={column} sort={sort} />
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        <Space height={above} />
        {rows.slice(from, to).map((row) => (
          <tr key={keyOf(row)} class={rowClass?.(row)}>
            {columns.map(({ title, class: wide, cell }, at) =>
              at === name ? (
                <th key={title} scope="row" class={wide}>
                  {cell(row)}
                </th>
              ) : (
                <td key={title} class={wide}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
        <Space height={below} />
        {rows.length === 0 && nothing !== undefined && (
          <tr class="no-rows">
            <td colSpan={columns.length}>{nothing}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
  return drawing === undefined ? (
    table
  ) : (
    <div class="story">
      {drawing(from, to)}
      {table}
    </div>
  );
}

function Head<Row>({ column, sort }: { readonly column: Column<Row>; readonly sort: Sort | undefined }) {
  const { title, class: wide, hint, width, sort: name, isText = false } = column;
  if (sort !== undefined && name !== undefined)
    return (
      <SortHeader sort={sort} column={name} label={title} hint={hint ?? title} class={wide ?? ""} isText={isText} />
    );
  return (
    <th scope="col" class={wide} title={hint} style={width === undefined ? undefined : { width: `${width}px` }}>
      {title}
    </th>
  );
}

/**
 * Empty space as high as the rows that are not rendered. One cell: a cell over all columns would give width to the
 * columns that a small screen hides.
 */
function Space({ height }: { readonly height: number }) {
  if (height <= 0) return null;
  return (
    <tr class="space">
      <td style={{ height: `${height}px` }} />
    </tr>
  );
}

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
