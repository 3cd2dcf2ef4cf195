// A table in whichever state it is: loading, failed with "Try again", nothing yet, nothing found under the filters, or its
// rows. `TableCard` is the card around it, `PagedCard` the one that grows page by page.
import type { QueryObserverResult } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { Match, Show, Switch } from "solid-js";
import { Button } from "../buttons/button.tsx";
import { Loaded } from "../states/loaded.tsx";
import { EmptyState } from "../states/states.tsx";
import { Table } from "./table.tsx";
import type { TableProps } from "./table-row.tsx";

/** What a list is narrowed by; a range does not count. */
export type Narrowed = {
  readonly filterCount: () => number;
  readonly clear: () => void;
};

export type TableStatesProps<Data, Row> = Omit<TableProps<Row>, "rows"> & {
  /** Those at hand, or those of a query. */
  rows: readonly Row[] | ((data: Data) => readonly Row[]);
  query?: QueryObserverResult<Data, Error>;
  /** As in "Couldn't load {what}." */
  what?: string;
  skeleton?: JSX.Element;
  /** Instead of no rows: one sentence, or more than that. */
  empty?: JSX.Element;
  /** Above the rows, also where none is found. */
  filters?: JSX.Element;
  narrowed?: Narrowed | undefined;
  /** Where none is found: "No keys match." */
  none?: string;
  /** There is nothing to filter, whatever the address says. */
  nothing?: boolean;
  /** Around the rows: a note, the pages. */
  above?: ((data: Data) => JSX.Element) | undefined;
  below?: JSX.Element;
};

export function TableStates<Data, Row>(props: TableStatesProps<Data, Row>): JSX.Element {
  return (
    <Show when={props.query} fallback={<States {...props} shown={rowsOf(props, undefined)} />}>
      {(query) => (
        <Loaded query={query()} what={props.what ?? "this"} skeleton={props.skeleton}>
          {(data) => (
            <>
              <Show when={rowsOf(props, data()).length > 0}>{props.above?.(data())}</Show>
              <States {...props} shown={rowsOf(props, data())} />
            </>
          )}
        </Loaded>
      )}
    </Show>
  );
}

/** Guarantee: rows that are read from data are asked for with those of the query. */
function rowsOf<Data, Row>(
  { rows }: Pick<TableStatesProps<Data, Row>, "rows">,
  data: Data | undefined,
): readonly Row[] {
  return typeof rows === "function" ? rows(data as Data) : rows;
}

function States<Data, Row>(
  props: TableStatesProps<Data, Row> & { shown: readonly Row[] },
): JSX.Element {
  const isNarrowed = () => props.nothing !== true && (props.narrowed?.filterCount() ?? 0) > 0;
  const Rows = () => (
    <>
      {props.filters}
      <Switch fallback={<Table {...props} rows={props.shown} />}>
        <Match when={props.shown.length === 0 && isNarrowed()}>
          <EmptyState
            title={props.none ?? "Nothing matches the filter."}
            action={<Button onClick={() => props.narrowed?.clear()}>Clear filters</Button>}
          />
        </Match>
      </Switch>
      {props.below}
    </>
  );
  const Nothing = () => {
    // Read once: it is drawn where it is read.
    const { empty } = props;
    if (empty === undefined) return <Rows />;
    return typeof empty === "string" ? <EmptyState title={empty} /> : empty;
  };
  return (
    <Show when={props.shown.length === 0 && !isNarrowed()} fallback={<Rows />}>
      <Nothing />
    </Show>
  );
}
