// Keeps row objects across refetches, so that focus and open menus stay where they are while rows change
// or new ones arrive.
import { type Accessor, createComputed } from "solid-js";
import { createStore, reconcile, unwrap } from "solid-js/store";

/** The same rows by `id`, whose fields change in place. Rows are plain data. */
export function createStableRows<Row extends { readonly id: string }>(
  rows: Accessor<readonly Row[]>,
): Accessor<readonly Row[]> {
  const [state, setState] = createStore<{ rows: Row[] }>({ rows: [] });
  // Copies, because reconciling mutates them, and the responses belong to the cache.
  createComputed(() => {
    const copies = rows().map((row) => structuredClone(unwrap(row)));
    setState("rows", reconcile(copies, { key: "id" }));
  });
  return () => state.rows;
}
