/** Keeps rows whose texts contain every word of the filter, in any order and case. */
export function filterRows<Row>(
  rows: readonly Row[],
  filter: string,
  texts: (row: Row) => readonly (string | null)[],
): readonly Row[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const all = texts(row).join("\n").toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
