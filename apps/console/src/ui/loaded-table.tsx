// The table of a query: skeleton, error with "Try again", a sentence if there are no rows, or the rows.
import type { QueryObserverResult } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { Loaded } from "./loaded.tsx";
import { EmptyState } from "./states.tsx";
import { Table } from "./table.tsx";
import type { TableProps } from "./table-row.tsx";

export type LoadedTableProps<Data, Row> = Omit<TableProps<Row>, "rows"> & {
  query: QueryObserverResult<Data, Error>;
  /** As in "Couldn't load {what}." */
  what: string;
  rows: (data: Data) => readonly Row[];
  /** Above the rows. */
  above?: (data: Data) => JSX.Element;
};

export function LoadedTable<Data, Row>(props: LoadedTableProps<Data, Row>): JSX.Element {
  return (
    <Loaded query={props.query} what={props.what}>
      {(data) => (
        <>
          <Show when={props.rows(data()).length > 0}>{props.above?.(data())}</Show>
          <Table {...props} rows={props.rows(data())} empty={emptyState(props.empty)} />
        </>
      )}
    </Loaded>
  );
}

/** Where the table is all that its card shows. */
export function emptyState(empty: JSX.Element): JSX.Element {
  return typeof empty === "string" ? <EmptyState title={empty} /> : empty;
}
