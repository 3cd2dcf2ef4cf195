// A calendar day, for filter bars.
import type { JSX } from "solid-js";

type DayFieldProps = {
  label: string;
  value: string;
  min?: string | undefined;
  max?: string | undefined;
  /** Empty if the day was cleared. */
  onChange: (day: string) => void;
};

export function DayField(props: DayFieldProps): JSX.Element {
  return (
    <label class="flex items-center gap-1.5 text-sm text-muted">
      <span class="min-w-9 sm:min-w-0">{props.label}</span>
      <input
        type="date"
        class="field h-8! w-auto! text-sm!"
        value={props.value}
        min={props.min}
        max={props.max}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      />
    </label>
  );
}
