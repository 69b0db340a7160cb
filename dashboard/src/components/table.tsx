import type { ComponentChildren } from "preact";
import { nextSort, parseSort, type Sort, type SortValue, sortRows, sortText } from "../sort.ts";
import { place, show } from "../state.ts";
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
  /** The value by which rows are sorted; without it, the server sorts. */
  readonly value?: SortValue<Row>;
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
  /** The order of the given rows; with it, columns with a `sort` can be clicked. Empty if no column has that order. */
  readonly usual?: string;
  /** Drawn over the rows in the given range. */
  readonly drawing?: (from: number, to: number) => ComponentChildren;
  /** Shown if there are no rows. */
  readonly nothing: ComponentChildren;
}

/** A table that renders only rows near the viewport if there are many. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, class: style, columns, name = 0, keyOf, rowClass, usual, drawing, nothing } = props;
  const sort = usual === undefined ? undefined : parseSort(place.value.query.sort || usual);
  const value = columns.find((column) => column.sort === sort?.column)?.value;
  const rows = value === undefined || sort === undefined ? props.rows : sortRows(props.rows, value, sort.descending);
  const { body, from, to, above, below } = useWindowed(rows.length);
  const table = (
    <table class={style} aria-label={label} aria-rowcount={rows.length + 1}>
      <thead>
        <tr>
          {columns.map((column) => (
            <Head key={column.title} column={column} sort={sort} isSortable={usual !== undefined} />
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

interface HeadProps<Row> {
  readonly column: Column<Row>;
  readonly sort: Sort | undefined;
  readonly isSortable: boolean;
}

function Head<Row>({ column, sort, isSortable }: HeadProps<Row>) {
  const { title, class: wide, hint, width, sort: name, value, isText = false } = column;
  if (!isSortable || name === undefined)
    return (
      <th scope="col" class={wide} title={hint} style={width === undefined ? undefined : { width: `${width}px` }}>
        {title}
      </th>
    );
  const active = sort?.column === name;
  const descending = value === undefined || sort?.descending === true;
  // The server sorts in one direction only.
  const next = value === undefined ? name : sortText(nextSort(sort, name, isText));
  return (
    <th scope="col" class={wide} aria-sort={active ? (descending ? "descending" : "ascending") : "none"}>
      <button type="button" title={hint ?? title} onClick={() => show({ sort: next, cursor: "" })}>
        {title}
        <span class="arrow" aria-hidden="true">
          {active ? (descending ? "↓" : "↑") : ""}
        </span>
      </button>
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
