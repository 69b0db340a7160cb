import type { ComponentChildren } from "preact";
import { nextSort, type Sort, sortText } from "../sort.ts";
import { show } from "../state.ts";
import { useWindowed } from "./windowed.ts";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** How wide it is, and on which screens it is there. */
  readonly class?: string;
  readonly hint?: string;
  /** In px, where no class knows it. */
  readonly width?: number;
  /** What it is called in the address, where rows can be sorted by it. */
  readonly sort?: string;
  /** Sorted as a text, from A. */
  readonly isText?: boolean;
}

interface TableProps<Row> {
  readonly label: string;
  readonly class?: string;
  readonly columns: readonly Column<Row>[];
  /** Which column names the row. */
  readonly name?: number;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly rowClass?: (row: Row) => string;
  readonly sort?: Sort;
  /** Lies over the rows from one to another. */
  readonly drawing?: (from: number, to: number) => ComponentChildren;
  /** In the place of rows, where there are none. */
  readonly nothing: ComponentChildren;
}

/** Rows under their columns; of a long list only those near the screen are drawn. */
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
        <Space height={above} columns={columns.length} />
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
        <Space height={below} columns={columns.length} />
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

/** Empty space of the height of rows that are not drawn. */
function Space({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    <tr class="space">
      <td colSpan={columns} style={{ height: `${height}px` }} />
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
