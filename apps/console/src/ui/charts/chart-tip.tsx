// The contents of the active bucket, beside it. The live region announces the same to keyboard users.

import type { JSX } from "solid-js";
import { createEffect, createMemo, For, Show } from "solid-js";
import { translateOf } from "../figures/machine-text.ts";
import { type ChartModel, partsOf } from "./chart-model.ts";
import type { Geometry } from "./geometry.ts";
import { Swatch } from "./legend.tsx";
import { formatTogether } from "./value-text.ts";

type ChartTipProps = { model: ChartModel; geometry: Geometry; index: number };

const gapPx = 8;

export function ChartTip(props: ChartTipProps): JSX.Element {
  const parts = createMemo(() => partsOf(props.model, props.index));
  const previous = () => props.model.props.previous?.[props.index];
  const total = () => props.model.totals()[props.index] ?? "0";
  const printed = createMemo(() =>
    formatTogether(props.model.props.unit, [
      ...parts().map((part) => part.value),
      total(),
      previous() ?? null,
    ]),
  );
  const value = (text: string | null) => printed()(text);
  const place = (element: HTMLElement) =>
    createEffect(() => {
      parts();
      const { geometry, index } = props;
      const start = geometry.x(index);
      const { offsetWidth: width } = element;
      const after = start + geometry.barWidth + gapPx;
      const left = after + width <= geometry.width ? after : Math.max(0, start - width - gapPx);
      element.style.setProperty("left", `${left}px`);
    });
  return (
    <div
      ref={place}
      aria-hidden="true"
      class="pointer-events-none absolute top-0 z-30 max-w-96 min-w-40 rounded-control border border-border bg-raised px-3 py-2 text-sm shadow-popover"
    >
      <div class="font-medium whitespace-nowrap">{props.model.fullName(props.index)}</div>
      <dl class="figures mt-1 grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0.5">
        <For each={parts()}>
          {(part) => (
            <>
              <dt class="flex min-w-0 items-center gap-1.5">
                <Swatch color={part.series.color} />
                <span translate={translateOf(part.series.label)} class="min-w-0 wrap-anywhere">
                  {part.series.label}
                </span>
              </dt>
              <dd translate="no" class="text-end">
                {value(part.value)}
              </dd>
            </>
          )}
        </For>
        <Show when={props.model.props.kind === "bars"}>
          <dt class="font-medium">Total</dt>
          <dd translate="no" class="text-end font-medium">
            {value(total())}
          </dd>
        </Show>
        <Show when={previous()}>
          {(amount) => (
            <>
              <dt class="text-muted">Previous period</dt>
              <dd translate="no" class="text-end text-muted">
                {value(amount())}
              </dd>
            </>
          )}
        </Show>
      </dl>
    </div>
  );
}
