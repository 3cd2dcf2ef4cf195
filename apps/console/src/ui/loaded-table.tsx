// The table of a query: skeleton, error with "Try again", a sentence if there are no rows, or the rows.
import type { QueryObserverResult } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { Loaded } from "./loaded.tsx";
import { EmptyState } from "./states.tsx";
import { Table } from "./table.tsx";
import type { TableProps } from "./table-row.tsx";

type LoadedTableProps<Data, Row> = Omit<TableProps<Row>, "rows"> & {
  query: QueryObserverResult<Data, Error>;
  /** As in "Couldn't load {what}." */
  what: string;
  rows: (data: Data) => readonly Row[];
  empty?: string;
  /** Above the rows. */
  above?: (data: Data) => JSX.Element;
};

export function LoadedTable<Data, Row>(props: LoadedTableProps<Data, Row>): JSX.Element {
  return (
    <Loaded query={props.query} what={props.what}>
      {(data) => (
        <Show
          when={props.empty === undefined || props.rows(data()).length > 0}
          fallback={<EmptyState title={props.empty ?? ""} />}
        >
          {props.above?.(data())}
          <Table {...props} rows={props.rows(data())} />
        </Show>
      )}
    </Loaded>
  );
}
