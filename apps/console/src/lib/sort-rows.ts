// The rows of a table in the order that a header button or an address chose.

export type Order<Row> = (a: Row, b: Row, descending: boolean) => number;

/** A row without a value comes last in both directions. */
export function orderBy<Row, Value extends number | string>(
  read: (row: Row) => Value | null,
  compare: (a: Value, b: Value) => number,
): Order<Row> {
  return (a, b, descending) => {
    const [one, other] = [read(a), read(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return descending ? compare(other, one) : compare(one, other);
  };
}

export function byNumber(a: number, b: number): number {
  return a - b;
}

/** `orders`: of each column that sorts. */
export function sortRows<Row>(
  rows: readonly Row[],
  orders: Readonly<Record<string, Order<Row>>>,
  { column, descending }: { readonly column: string; readonly descending: boolean },
): readonly Row[] {
  const order = orders[column];
  if (!order) return rows;
  return rows.toSorted((a, b) => order(a, b, descending));
}
