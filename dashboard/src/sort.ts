/** By which column a table is sorted: `calls` ascending, `-calls` descending. */
export interface Sort<C extends string = string> {
  readonly column: C;
  readonly descending: boolean;
}

/** What a column sorts by; null stands last either way. */
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

/** What a click on a column's head asks for: texts start at A, numbers at the largest; a second click turns it round. */
export function nextSort<C extends string>(current: Sort<C>, column: C, isText: boolean): Sort<C> {
  if (current.column === column) return { column, descending: !current.descending };
  return { column, descending: !isText };
}

/** Equal rows keep the server's order. */
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
