// The days that are marked in the chart: how far from usual they were, and which key and model made them so.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { dayOf, formatDay } from "../../lib/format.ts";
import { bucketEnd } from "../../ui/charts/bucket-time.ts";
import { formatValue } from "../../ui/charts/value-text.ts";
import { TriangleAlert } from "../../ui/icons.ts";
import { measures } from "./measures.ts";
import type { Explored } from "./use-usage.ts";
import type { UsageView } from "./use-usage-view.ts";

type Day = Explored["unusual"][number];
type UnusualDaysProps = { days: readonly Day[]; view: UsageView };

export default function UnusualDays(props: UnusualDaysProps): JSX.Element {
  return (
    <Show when={props.days.length > 0}>
      <section aria-label="Unusual days" class="rounded-card border border-border">
        <h2 class="px-5 pt-4 text-lg font-semibold">Unusual days</h2>
        <ul class="flex flex-col gap-2 px-5 pt-2 pb-4">
          <For each={props.days}>{(day) => <UnusualDay day={day} view={props.view} />}</For>
        </ul>
      </section>
    </Show>
  );
}

function UnusualDay(props: { day: Day; view: UsageView }): JSX.Element {
  const show = (value: string) => formatValue(measures[props.view.measure()].unit, value);
  const name = () => formatDay(dayOf(new Date(props.day.at), props.view.timeZone()));
  const href = () => {
    const to = bucketEnd(props.day.at, "day", props.view.timeZone()).toISOString();
    const key = props.day.key;
    const ofKey = key && (key.id === "playground" ? { origin: key.id } : { keys: key.id });
    return props.view.logsHref({ range: "", from: props.day.at, to, ...ofKey });
  };
  const reason = (of: Day["key"]) =>
    of && `${of.label} with ${show(of.value)} (usually ${show(of.usual)})`;
  return (
    <li class="flex flex-wrap items-start gap-x-3 gap-y-1">
      <TriangleAlert class="mt-0.5 size-4 shrink-0 text-warning" aria-hidden="true" />
      <p class="min-w-0 flex-1 wrap-anywhere">
        <strong class="font-medium">{name()}</strong>: {show(props.day.value)}, usually{" "}
        {show(props.day.usual)}.
        <Show when={reason(props.day.key)}>{(text) => <> Mostly the key {text()}.</>}</Show>
        <Show when={reason(props.day.model)}>{(text) => <> Mostly the model {text()}.</>}</Show>
      </p>
      <Show when={href()}>
        {(address) => (
          <A href={address()} class="link whitespace-nowrap" aria-label={`View logs of ${name()}`}>
            View logs
          </A>
        )}
      </Show>
    </li>
  );
}
