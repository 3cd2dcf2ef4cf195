// The position in a plot: the bucket selected by pointer or keyboard, and the range being dragged. The
// plot is one tab stop; the bucket the keyboard reaches is announced.
import { type Accessor, createSignal, onCleanup } from "solid-js";
import type { ChartModel } from "./chart-model.ts";

export type PlotState = {
  readonly size: Accessor<{ width: number; height: number }>;
  readonly active: Accessor<number | undefined>;
  readonly dragged: Accessor<readonly [first: number, last: number] | undefined>;
  /** For the live region. */
  readonly announced: Accessor<string>;
  readonly measure: (element: HTMLElement) => void;
  readonly onKeyDown: (event: KeyboardEvent & { currentTarget: HTMLElement }) => void;
  readonly onBlur: () => void;
  readonly pointer: PointerHandlers;
};

type Pointed = PointerEvent & { currentTarget: HTMLElement };
type PointerHandlers = {
  readonly onPointerMove: (event: Pointed) => void;
  readonly onPointerDown: (event: Pointed) => void;
  readonly onPointerUp: (event: Pointed) => void;
  readonly onPointerLeave: () => void;
  readonly onPointerCancel: () => void;
};

/** `indexAt` returns the bucket at a distance from the plot's left edge. */
export function createPlotState(
  model: ChartModel,
  indexAt: (offsetPx: number) => number | undefined,
): PlotState {
  const { size, measure } = createSize();
  const [reached, setActive] = createSignal<number>();
  /** A narrower range has fewer buckets. */
  const active = () => {
    const index = reached();
    return index !== undefined && index < model.count() ? index : undefined;
  };
  const [announced, setAnnounced] = createSignal("");
  const narrow = (first: number, end: number) => {
    const range = model.rangeOf(Math.min(first, end), Math.max(first, end));
    if (!range || !model.props.onNarrow) return;
    setActive(undefined);
    model.props.onNarrow(range);
  };
  const onKeyDown: PlotState["onKeyDown"] = (event) => {
    const target = nextIndex(event.key, active(), model.count());
    if (target !== undefined) {
      event.preventDefault();
      setActive(target);
      setAnnounced(model.readOut(target));
      return;
    }
    const index = active();
    if (event.key === "Enter" && index !== undefined) narrow(index, index);
    if (event.key !== "Escape") return;
    event.stopPropagation();
    setActive(undefined);
    event.currentTarget.blur();
  };
  const { dragged, pointer } = createPointer({ active, setActive, indexAt, narrow, model });
  const onBlur = () => {
    setActive(undefined);
    setAnnounced("");
  };
  return { size, measure, active, dragged, announced, onKeyDown, onBlur, pointer };
}

function nextIndex(key: string, at: number | undefined, count: number): number | undefined {
  if (count === 0) return undefined;
  const end = count - 1;
  if (key === "ArrowRight") return Math.min(end, (at ?? -1) + 1);
  if (key === "ArrowLeft") return Math.max(0, (at ?? count) - 1);
  if (key === "Home") return 0;
  return key === "End" ? end : undefined;
}

type PointerParts = {
  active: Accessor<number | undefined>;
  setActive: (index: number | undefined) => void;
  indexAt: (offsetPx: number) => number | undefined;
  narrow: (first: number, last: number) => void;
  model: ChartModel;
};

function createPointer({ active, setActive, indexAt, narrow, model }: PointerParts) {
  const [start, setStart] = createSignal<number>();
  const at = (event: Pointed) =>
    indexAt(event.clientX - event.currentTarget.getBoundingClientRect().left);
  const dragged = (): readonly [number, number] | undefined => {
    const [from, to] = [start(), active()];
    if (from === undefined || to === undefined || from === to) return undefined;
    return [Math.min(from, to), Math.max(from, to)];
  };
  const pointer: PointerHandlers = {
    onPointerMove: (event) => setActive(at(event)),
    onPointerDown: (event) => {
      setActive(at(event));
      if (event.button !== 0 || model.props.onNarrow === undefined) return;
      setStart(at(event));
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerUp: (event) => {
      const [from, to] = [start(), at(event)];
      setStart(undefined);
      if (from === undefined || to === undefined) return;
      // A tap only shows the bucket; a mouse shows it on hover, before a click.
      if (from !== to || event.pointerType === "mouse") narrow(from, to);
    },
    onPointerLeave: () => {
      if (start() === undefined) setActive(undefined);
    },
    onPointerCancel: () => {
      setStart(undefined);
      setActive(undefined);
    },
  };
  return { dragged, pointer };
}

const assumedSize = { width: 720, height: 240 };

/** The size in pixels, so that text in the plot is never stretched. */
function createSize() {
  const [size, setSize] = createSignal(assumedSize, {
    equals: (a, b) => a.width === b.width && a.height === b.height,
  });
  const update = (element: HTMLElement) => {
    const { clientWidth: width, clientHeight: height } = element;
    if (width > 0 && height > 0) setSize({ width, height });
  };
  const measure = (element: HTMLElement) => {
    const observer = new ResizeObserver(() => update(element));
    observer.observe(element);
    onCleanup(() => observer.disconnect());
  };
  return { size, measure };
}
