// What a table is told, and the one link of each of its rows.
import type { JSX } from "solid-js";
import { Show } from "solid-js";

export type Column<Row> = {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => JSX.Element;
  /** A second line of the first column, outside of the row's link. */
  readonly under?: (row: Row) => JSX.Element;
  /** `end` for figures. */
  readonly align?: "start" | "end";
  readonly sortable?: boolean;
  /** Only for screen readers, as over a column of menus. */
  readonly hideTitle?: boolean;
  /** Left out of the cards of phones: the row's own page or sheet shows it. */
  readonly wideOnly?: boolean;
  /** Extra classes of the cells, such as `font-mono`. */
  readonly class?: string;
};

export type Sort = { readonly column: string; readonly descending: boolean };

export type TableProps<Row> = {
  /** Says what the rows are; read by screen readers, not shown. */
  caption: string;
  /** The first column names the row and carries its link. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The whole row becomes this link (a button with `onOpen` alone). */
  rowHref?: ((row: Row) => string) | undefined;
  /** Beside `rowHref`: what a plain click does instead of following the link. */
  onOpen?: ((row: Row) => void) | undefined;
  /** Lets readers put columns away, all but the first; remembered under this name. */
  columnsKey?: string | undefined;
  /** A menu at the end of the row. */
  actions?: ((row: Row) => JSX.Element) | undefined;
  sort?: Sort | undefined;
  onSort?: ((sort: Sort) => void) | undefined;
  /** Old rows stay, dimmed, while new ones come. */
  busy?: boolean | undefined;
  /** Marked for two seconds after it was made. */
  highlighted?: string | undefined;
  /** Where the keyboard stands (`j`, `k`). */
  current?: string | undefined;
};

/** The row's one link: its hit area is the row. */
export function RowOpener<Row>(
  props: TableProps<Row> & { row: Row; cell: JSX.Element },
): JSX.Element {
  return (
    <Show
      when={props.rowHref}
      fallback={
        <Show when={props.onOpen} fallback={props.cell}>
          {(open) => (
            <button
              type="button"
              class="text-start after:absolute after:inset-0"
              onClick={() => open()(props.row)}
            >
              {props.cell}
            </button>
          )}
        </Show>
      }
    >
      {(href) => (
        <a
          href={href()(props.row)}
          class="font-medium after:absolute after:inset-0"
          onClick={(event) => {
            if (!props.onOpen || !isPlainClick(event)) return;
            event.preventDefault();
            props.onOpen(props.row);
          }}
        >
          {props.cell}
        </a>
      )}
    </Show>
  );
}

/** One that asks for no other tab or window. */
function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
}
