/** Sort order of a table: `calls` ascending, `-calls` descending. */
export interface Sort {
  readonly column: string;
  readonly descending: boolean;
}

/** What a column sorts by; null is last in both directions. */
export type SortValue<Row> = (row: Row) => number | string | null;

/** Undefined if the list has no order. */
export function parseSort(text = ""): Sort | undefined {
  const descending = text.startsWith("-");
  return text === "" ? undefined : { column: descending ? text.slice(1) : text, descending };
}

export function sortText({ column, descending }: Sort): string {
  return `${descending ? "-" : ""}${column}`;
}

/**
 * The order after a click on a column header: texts ascending first, numbers descending; a second click reverses it.
 */
export function nextSort(current: Sort | undefined, column: string, isText: boolean): Sort {
  return { column, descending: current?.column === column ? !current.descending : !isText };
}

/** Stable: equal rows keep the server's order. */
export function sortRows<Row>(rows: readonly Row[], value: SortValue<Row>, descending: boolean): readonly Row[] {
  return rows.toSorted((a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    if (x === y) return 0;
    return x < y === descending ? 1 : -1;
  });
}
