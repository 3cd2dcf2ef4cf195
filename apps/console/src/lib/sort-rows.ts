// The rows of a table in the order that a header button or an address chose.

type Compare<Row> = (a: Row, b: Row) => number;

/** `comparisons`: of each column that sorts. */
export function sortRows<Row>(
  rows: readonly Row[],
  comparisons: Readonly<Record<string, Compare<Row>>>,
  { column, descending }: { readonly column: string; readonly descending: boolean },
): readonly Row[] {
  const compare = comparisons[column];
  if (!compare) return rows;
  return rows.toSorted((a, b) => (descending ? compare(b, a) : compare(a, b)));
}
