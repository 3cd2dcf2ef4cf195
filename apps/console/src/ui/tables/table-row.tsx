// The props of a table, and how a row opens: by its one link (keyboard, screen readers) or by a click
// anywhere in it that nothing else in the row answers.
import type { Accessor, JSX } from "solid-js";
import { createMemo, Show } from "solid-js";
import { accountBase } from "../../lib/account-address.ts";

export type Column<Row> = {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row, decimals: Accessor<number>) => JSX.Element;
  /** For a column of amounts: how many decimals all its rows are shown with. Passed to `cell`. */
  readonly decimals?: (rows: readonly Row[]) => number;
  /** A second line of the first column, outside the row's link. */
  readonly under?: (row: Row) => JSX.Element;
  /** Of the first column: one line, as wide as the other columns leave room for, so that the table fits its box. */
  readonly fills?: boolean;
  /** `end` for figures. */
  readonly align?: "start" | "end";
  /** `ascending`: the first click on its title puts the least first, as for names and prices. */
  readonly sortable?: boolean | "ascending";
  /** In a table whose columns can be chosen: not shown until it is. On phones every column is. */
  readonly startsHidden?: boolean;
  /** Only for screen readers, as over a column of menus. */
  readonly hideTitle?: boolean;
  /** Omitted from the cards on phones, unless they are sorted by it: the row's own page or sheet shows it. */
  readonly wideOnly?: boolean;
  /** Extra classes for the cells, such as `font-mono`. */
  readonly class?: string;
};

export type Sort = { readonly column: string; readonly descending: boolean };

export type TableProps<Row> = {
  /** Names the table for screen readers; not shown. */
  caption: string;
  /** The first column names the row and carries its link. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The whole row becomes this link (a button with only `onOpen`); undefined for a row without one. */
  rowHref?: ((row: Row) => string | undefined) | undefined;
  /** In addition to `rowHref`: what a plain click does instead of following the link. */
  onOpen?: ((row: Row) => void) | undefined;
  /**
   * What a row is on phones, if not a card with a line for each value. `compact`: two lines, the first and the last
   * column, then those between, without titles. `figures`: all values after their titles in one line, if it is long
   * enough. `paired`: two values a line.
   */
  cards?: "compact" | "figures" | "paired" | undefined;
  /** Lets users hide all columns except the first; remembered under this name. */
  columnsKey?: string | undefined;
  /** A menu at the end of the row. */
  actions?: ((row: Row) => JSX.Element) | undefined;
  sort?: Sort | undefined;
  onSort?: ((sort: Sort) => void) | undefined;
  /** Old rows stay, dimmed, while new ones load. */
  busy?: boolean | undefined;
  /** Highlighted for two seconds after it was created. */
  highlighted?: string | undefined;
  /** The row selected by keyboard (`j`, `k`). */
  current?: string | undefined;
};

export function opensRow<Row>(props: TableProps<Row>, row: Row): boolean {
  return props.onOpen !== undefined || props.rowHref?.(row) !== undefined;
}

const moneyDecimals = 2;

/** The decimals of each column, computed over all its rows. */
export function createPrecision<Row>(
  props: Pick<TableProps<Row>, "columns" | "rows">,
): (column: Column<Row>) => number {
  const known = createMemo(
    () => new Map(props.columns.map(({ id, decimals }) => [id, decimals?.(props.rows)])),
  );
  return ({ id }) => known().get(id) ?? moneyDecimals;
}

/** The row's one link; a click elsewhere in the row is passed to it by `openRow`. */
export function RowOpener<Row>(
  props: TableProps<Row> & { row: Row; cell: JSX.Element },
): JSX.Element {
  return (
    <Show
      when={props.rowHref?.(props.row)}
      fallback={
        <Show when={props.onOpen} fallback={props.cell}>
          {(open) => (
            <button
              type="button"
              data-row-opener=""
              class="scroll-mt-28 text-start"
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
          href={accountBase + href()}
          data-row-opener=""
          class="scroll-mt-28 font-medium"
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

/** A click that opens no other tab or window. */
function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
}

/** Elements that handle a click themselves, so that it does not open the row. */
const ownClicks = "a, button, input, select, textarea, label, summary, [role^=menuitem]";

type RowClick = MouseEvent & { readonly currentTarget: HTMLElement };

/**
 * The `click` and `auxclick` of a whole row. Ctrl, Cmd, Shift and the middle button open a new tab, as
 * on a link; selecting text opens nothing.
 */
export function openRow(event: RowClick): void {
  const { currentTarget: row, target, button } = event;
  if (event.defaultPrevented || !(target instanceof Element)) return;
  // The events of menus and tooltips in portals bubble to the row that owns them.
  if (!row.contains(target) || target.closest(ownClicks) !== null) return;
  const opener = row.querySelector<HTMLElement>("[data-row-opener]");
  if (opener === null || isSelecting(row)) return;
  // Browsers open no tab for a synthetic click, whatever modifier keys it carries.
  if (opener instanceof HTMLAnchorElement && wantsNewTab(event)) {
    window.open(opener.href, "_blank", "noopener");
  } else if (button === 0) {
    opener.click();
  }
}

function wantsNewTab({ button, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  return button === 1 || (button === 0 && (ctrlKey || metaKey || shiftKey));
}

function isSelecting(row: HTMLElement): boolean {
  const selection = getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return false;
  return selection.getRangeAt(0).intersectsNode(row);
}
