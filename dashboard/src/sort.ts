/** Sort order of a table: `calls` ascending, `-calls` descending. */
export interface Sort<C extends string = string> {
  readonly column: C;
  readonly descending: boolean;
}

/** The value a column sorts by; null is last in both directions. */
export type SortValues<Row, C extends string> = Readonly<Record<C, (row: Row) => number | string | null>>;

export function parseSort<C extends string>(text: string | undefined, columns: object, usual: Sort<C>): Sort<C> {
  if (text === undefined || text === "") return usual;
  const descending = text.startsWith("-");
  const column = descending ? text.slice(1) : text;
  return Object.hasOwn(columns, column) ? { column: column as C, descending } : usual;
}

export function sortText({ column, descending }: Sort): string {
  return `${descending ? "-" : ""}${column}`;
}

/**
 * The order after a click on a column header: texts ascending first, numbers descending; a second click reverses it.
 */
export function nextSort<C extends string>(current: Sort<C>, column: C, isText: boolean): Sort<C> {
  if (current.column === column) return { column, descending: !current.descending };
  return { column, descending: !isText };
}

/** Stable: equal rows keep the server's order. */
export function sortRows<Row, C extends string>(
  rows: readonly Row[],
  values: SortValues<Row, C>,
  { column, descending }: Sort<C>,
): readonly Row[] {
  const value = values[column];
  return rows.toSorted((a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    if (x === y) return 0;
    return x < y === descending ? 1 : -1;
  });
}
