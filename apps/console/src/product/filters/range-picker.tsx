// Chooses the range of a page: a named one, or custom days.
import type { JSX } from "solid-js";
import { createMemo, Show } from "solid-js";
import { dayOf, formatDateTime, nextDay, startOfDay } from "../../lib/format.ts";
import { type ChosenRange, resolveRange } from "../../lib/time-range.ts";
import { choicesOf, SelectControl } from "../../ui/forms/choices.tsx";
import { DayField } from "../../ui/forms/day-field.tsx";

const rangeLabels = {
  today: "Today",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
  month: "Month to date",
  custom: "Custom",
} as const satisfies Record<ChosenRange["name"], string>;

type RangePickerProps = {
  range: ChosenRange;
  timeZone: string;
  onChange: (range: ChosenRange) => void;
};

type Custom = Extract<ChosenRange, { name: "custom" }>;

export function RangePicker(props: RangePickerProps): JSX.Element {
  const choose = (name: ChosenRange["name"]) => {
    if (name !== "custom") return props.onChange({ name });
    const { from, to } = resolveRange(props.range, props.timeZone, new Date());
    props.onChange({ name, from: from.toISOString(), to: to.toISOString() });
  };
  return (
    <div class="flex flex-wrap items-center gap-2">
      <SelectControl
        label="Range"
        small
        value={props.range.name}
        onChange={choose}
        choices={choicesOf(rangeLabels)}
      />
      <Show when={props.range.name === "custom" && props.range}>
        {(range) => (
          <CustomDays range={range()} timeZone={props.timeZone} onChange={props.onChange} />
        )}
      </Show>
    </div>
  );
}

type CustomDaysProps = Omit<RangePickerProps, "range"> & { range: Custom };

function CustomDays(props: CustomDaysProps): JSX.Element {
  const first = createMemo(() => dayOf(new Date(props.range.from), props.timeZone));
  const last = createMemo(() => dayOf(new Date(Date.parse(props.range.to) - 1), props.timeZone));
  const change = (from: string, to: string) => {
    if (from === "" || to === "") return;
    const start = startOfDay(from, props.timeZone);
    const end = startOfDay(nextDay(to), props.timeZone);
    if (!start || !end || start >= end) return;
    props.onChange({ name: "custom", from: start.toISOString(), to: end.toISOString() });
  };
  /** Shown only if the range does not fall on whole days. */
  const exact = createMemo(() => {
    const { from, to } = props.range;
    const start = startOfDay(first(), props.timeZone);
    const end = startOfDay(nextDay(last()), props.timeZone);
    if (start?.getTime() === Date.parse(from) && end?.getTime() === Date.parse(to)) return;
    const print = (at: string) => formatDateTime(new Date(at), props.timeZone);
    return `${print(from)} to ${print(to)}`;
  });
  return (
    <>
      <DayField label="From" value={first()} max={last()} onChange={(day) => change(day, last())} />
      <DayField label="To" value={last()} min={first()} onChange={(day) => change(first(), day)} />
      <Show when={exact()}>{(text) => <span class="text-sm text-muted">{text()}</span>}</Show>
    </>
  );
}
