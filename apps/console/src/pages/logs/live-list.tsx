// The list while Live is on: it pauses while someone points at it, has the focus in it, has scrolled into it, or reads
// a request, and by its button; rows never move under the pointer.
import { A, useLocation } from "@solidjs/router";
import type { Accessor, JSX } from "solid-js";
import { createMemo, createSignal, onCleanup, Show } from "solid-js";
import { writeQuery } from "../../lib/address-query.ts";
import { formatCount } from "../../lib/format.ts";
import { plural } from "../../lib/plural.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { LogRows } from "./log-table.tsx";
import { countMax, type LiveTail, useLiveTail } from "./use-live-tail.ts";
import type { LogRow, LogsView } from "./use-logs-view.ts";

type LiveListProps = {
  pageRows: readonly LogRow[];
  view: LogsView;
  busy: boolean;
  empty: JSX.Element;
};

export default function LiveList(props: LiveListProps): JSX.Element {
  const question = createMemo(() => JSON.stringify(props.view.key()));
  return (
    <Show when={question()} keyed>
      {(_) => <LiveRows {...props} />}
    </Show>
  );
}

function LiveRows(props: LiveListProps): JSX.Element {
  let list: HTMLDivElement | undefined;
  let bar: HTMLDivElement | undefined;
  const [stopped, setStopped] = createSignal(false);
  const [focused, setFocused] = createSignal(false);
  const [pointed, setPointed] = createSignal(false);
  const scrolled = useScroll(() => isPast(list, bar));
  const paused = createMemo(
    () => stopped() || focused() || pointed() || scrolled() || props.view.openId() !== undefined,
  );
  const tail = useLiveTail({
    view: props.view,
    pageRows: () => props.pageRows,
    isPaused: paused,
  });
  const showNew = () => {
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && list?.contains(activeElement)) activeElement.blur();
    if (scrolled()) scrollTo({ top: 0 });
    list?.querySelector("[data-scrolls]")?.scrollTo({ top: 0 });
    tail.catchUp();
    // The button that was pressed is gone.
    if (bar?.contains(activeElement)) bar.querySelector("button")?.focus();
  };
  const toggle = () => {
    if (stopped()) {
      showNew();
      setPointed(false);
    }
    setStopped(!stopped());
  };
  return (
    // The way from the rows to the bar does not end the pause: its button would vanish.
    <div class="flex flex-col gap-3" onPointerLeave={() => setPointed(false)}>
      <div ref={bar} class={barClass}>
        <Button size="small" class="min-w-20" onClick={toggle}>
          {stopped() ? "Resume" : "Pause"}
        </Button>
        <span
          role="status"
          class="text-sm text-muted"
          classList={{ "max-sm:sr-only": tail.fresh() + tail.leftOut() > 0 }}
        >
          {stateOf(stopped(), paused())}
        </span>
        <span
          class="contents"
          onFocusIn={() => setFocused(true)}
          onFocusOut={() => setFocused(false)}
        >
          <News tail={tail} onShow={showNew} />
        </span>
      </div>
      <div
        ref={list}
        onPointerEnter={(event) => setPointed(event.pointerType !== "touch")}
        onFocusIn={() => setFocused(true)}
        onFocusOut={(event) =>
          setFocused(
            event.relatedTarget instanceof Node &&
              event.currentTarget.contains(event.relatedTarget),
          )
        }
      >
        <LogRows rows={tail.rows()} view={props.view} busy={props.busy} empty={props.empty} />
      </div>
    </div>
  );
}

/** Below the header of the table, and as high whatever it says, so that it moves no row. */
const barClass =
  "sticky top-16 z-20 flex min-h-12 w-fit max-w-full items-center gap-x-3 rounded-card border border-border bg-raised px-2 py-1.5 max-sm:min-h-14 max-sm:w-full sm:top-25";

function stateOf(stopped: boolean, paused: boolean): string {
  if (stopped) return "Paused";
  return paused ? "Paused while you read" : "Live";
}

/** How many requests the list does not show, and the way to them. */
function News(props: { tail: LiveTail; onShow: () => void }): JSX.Element {
  const location = useLocation();
  const listed = () => {
    const search = Object.fromEntries(new URLSearchParams(location.search));
    return `/logs${writeQuery({ ...search, live: undefined, id: undefined })}`;
  };
  const fresh = () => props.tail.fresh();
  return (
    <Show
      when={fresh() > 0}
      fallback={
        <Show when={props.tail.leftOut() > 0}>
          <span class="text-sm">
            {formatCapped(props.tail.leftOut())} left out, too fast to read.{" "}
            <A href={listed()} class="link">
              View all
            </A>
          </span>
        </Show>
      }
    >
      <Button size="small" variant="primary" onClick={() => props.onShow()}>
        {plural(
          fresh(),
          `${formatCapped(fresh())} new request`,
          `${formatCapped(fresh())} new requests`,
        )}
      </Button>
    </Show>
  );
}

function formatCapped(count: number): string {
  return count > countMax ? `${formatCount(countMax)}+` : formatCount(count);
}

/** Whether the first row is under the bar, or scrolled out of its own table. */
function isPast(list: HTMLElement | undefined, bar: HTMLElement | undefined): boolean {
  if (list === undefined || bar === undefined) return false;
  const inside = list.querySelector("[data-scrolls]")?.scrollTop ?? 0;
  return inside > 0 || list.getBoundingClientRect().top < bar.getBoundingClientRect().bottom;
}

function useScroll(read: () => boolean): Accessor<boolean> {
  const [value, setValue] = createSignal(false);
  const update = () => setValue(read());
  const options = { capture: true, passive: true };
  addEventListener("scroll", update, options);
  onCleanup(() => removeEventListener("scroll", update, options));
  return value;
}
