// A table of one kind of value, by row and by column: the titles of its rows stay in view while it scrolls sideways.
import type { JSX } from "solid-js";
import { For } from "solid-js";

type MatrixProps<Column, Row> = {
  caption: string;
  /** Over the titles of the rows; it may be for screen readers only. */
  corner: JSX.Element;
  columns: readonly Column[];
  head: (column: Column) => JSX.Element;
  /** Only for screen readers, where one column needs no title. */
  hidesHeads?: boolean;
  rows: readonly Row[];
  title: (row: Row) => string;
  cell: (row: Row, column: Column) => JSX.Element;
  /** Of the heads and cells. */
  class: string;
};

const firstColumn =
  "sticky start-0 border-b border-border bg-bg px-5 text-start font-normal whitespace-nowrap text-muted max-sm:max-w-30 max-sm:pe-3 max-sm:whitespace-normal";

export function Matrix<Column, Row>(props: MatrixProps<Column, Row>): JSX.Element {
  const border = () => `border-b border-border ${props.class}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: it must be scrollable sideways by keyboard
    <div
      role="group"
      aria-label={props.caption}
      tabindex={0}
      class="relative overflow-x-auto -outline-offset-2! [&_tr:last-child>*]:border-b-0 [&_thead>tr>*]:border-b!"
    >
      <table class="w-full border-separate border-spacing-0 text-sm">
        <caption class="sr-only">{props.caption}</caption>
        <thead classList={{ "sr-only": props.hidesHeads }}>
          <tr>
            <th scope="col" class={`${firstColumn} py-2.5 align-top`}>
              {props.corner}
            </th>
            <For each={props.columns}>
              {(column) => (
                <th scope="col" class={`py-2.5 align-top ${border()}`}>
                  {props.head(column)}
                </th>
              )}
            </For>
          </tr>
        </thead>
        <tbody>
          <For each={props.rows}>
            {(row) => (
              <tr>
                <th scope="row" class={`${firstColumn} h-10 py-1`}>
                  {props.title(row)}
                </th>
                <For each={props.columns}>
                  {(column) => (
                    <td class={`figures h-10 ${border()}`}>{props.cell(row, column)}</td>
                  )}
                </For>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </div>
  );
}
