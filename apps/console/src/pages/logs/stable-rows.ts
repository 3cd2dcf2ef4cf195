// Keeps row objects across refetches, so that the focus stays where it is while new rows arrive above.
import { type Accessor, createComputed } from "solid-js";
import { createStore, reconcile } from "solid-js/store";
import type { LogRow } from "./use-logs-view.ts";

export function createStableRows(rows: Accessor<readonly LogRow[]>): Accessor<readonly LogRow[]> {
  const [state, setState] = createStore<{ rows: LogRow[] }>({ rows: [] });
  // Copies, because reconciling mutates them, and the responses belong to the cache.
  createComputed(() => {
    const copies = rows().map((row) => ({ ...row }));
    setState("rows", reconcile(copies, { key: "id" }));
  });
  return () => state.rows;
}
