// Fields with choices: native controls, because they work with every keyboard, phone and screen reader.

import type { JSX } from "solid-js";
import { createUniqueId, For, Show, splitProps } from "solid-js";
import { namesOf } from "../../lib/names-of.ts";
import { translateOf } from "../figures/machine-text.ts";
import { ChevronDown } from "../icons.ts";
import { Field, FieldError, type FieldProps } from "./field.tsx";

export type Choice<Value extends string> = {
  readonly value: Value;
  readonly label: string;
  readonly disabled?: boolean;
};

/** From a table of names, in its order. */
export function choicesOf<Value extends string>(
  names: Readonly<Record<Value, string>>,
): readonly Choice<Value>[] {
  return namesOf(names).map((value) => ({ value, label: names[value] }));
}

type SelectProps<Value extends string> = FieldProps & {
  value: Value;
  onChange: (value: Value) => void;
  choices: readonly Choice<Value>[];
  disabled?: boolean | undefined;
  name?: string | undefined;
};

export function Select<Value extends string>(props: SelectProps<Value>): JSX.Element {
  const [field, own] = splitProps(props, ["label", "hint", "error", "optional"]);
  return (
    <Field {...field}>
      {(ids) => (
        <SelectControl
          {...own}
          id={ids.control}
          describedBy={ids.describedBy()}
          invalid={field.error !== undefined}
        />
      )}
    </Field>
  );
}

type SelectControlProps<Value extends string> = Omit<SelectProps<Value>, keyof FieldProps> & {
  id?: string;
  /** The name if no label is visible, as in a filter bar. */
  label?: string;
  describedBy?: string | undefined;
  invalid?: boolean;
  small?: boolean;
};

/** The bare control, for filter bars; it needs a `label`. */
export function SelectControl<Value extends string>(props: SelectControlProps<Value>): JSX.Element {
  const change = (index: number) => {
    const choice = props.choices[index];
    if (choice) props.onChange(choice.value);
  };
  return (
    <div class="relative">
      <select
        id={props.id}
        name={props.name}
        aria-label={props.label}
        aria-describedby={props.describedBy}
        aria-invalid={props.invalid ? "true" : undefined}
        disabled={props.disabled}
        class="field appearance-none truncate pe-9!"
        classList={{ "h-8! text-sm!": props.small === true }}
        onChange={(event) => change(event.currentTarget.selectedIndex)}
      >
        <For each={props.choices}>
          {(choice) => (
            <option
              value={choice.value}
              disabled={choice.disabled}
              selected={choice.value === props.value}
            >
              {choice.label}
            </option>
          )}
        </For>
      </select>
      <ChevronDown
        class="pointer-events-none absolute end-2.5 top-1/2 size-4 -translate-y-1/2 text-muted"
        aria-hidden="true"
      />
    </div>
  );
}

type TickProps = {
  label: JSX.Element;
  hint?: JSX.Element;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean | undefined;
  error?: string | undefined;
  name?: string | undefined;
};

export function Checkbox(props: TickProps): JSX.Element {
  const id = createUniqueId();
  return (
    <div class="flex flex-col gap-1">
      <label class="flex min-h-6 items-start gap-2.5">
        <input
          id={id}
          type="checkbox"
          name={props.name}
          checked={props.checked}
          disabled={props.disabled}
          aria-invalid={props.error ? "true" : undefined}
          aria-describedby={props.error ? `${id}-error` : undefined}
          onChange={(event) => props.onChange(event.currentTarget.checked)}
          class="mt-0.5 size-4 shrink-0 accent-brand"
        />
        <span class="min-w-0 wrap-anywhere">
          {props.label}
          <Show when={props.hint}>
            <span class="block text-sm text-muted">{props.hint}</span>
          </Show>
        </span>
      </label>
      <FieldError id={`${id}-error`} error={props.error} />
    </div>
  );
}

/** For settings that take effect immediately. */
export function Switch(props: TickProps): JSX.Element {
  return (
    <label class="flex min-h-6 items-start justify-between gap-4">
      <span>
        {props.label}
        <Show when={props.hint}>
          <span class="block text-sm text-muted">{props.hint}</span>
        </Show>
      </span>
      <input
        type="checkbox"
        role="switch"
        aria-checked={props.checked}
        name={props.name}
        checked={props.checked}
        disabled={props.disabled}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
        class="relative mt-0.5 h-5 w-9 shrink-0 appearance-none rounded-full border border-control bg-surface transition-colors before:absolute before:start-0.5 before:top-1/2 before:size-3.5 before:-translate-y-1/2 before:rounded-full before:bg-control before:transition-transform checked:border-brand checked:bg-brand checked:before:translate-x-4 checked:before:bg-on-brand"
      />
    </label>
  );
}

type RadioCardsProps<Value extends string> = {
  legend: string;
  name: string;
  value: Value;
  onChange: (value: Value) => void;
  choices: readonly (Choice<Value> & { readonly hint?: string })[];
  error?: string | undefined;
  hideLegend?: boolean | undefined;
};

/** A radio group drawn as cards: one tab stop, arrows choose. */
export function RadioCards<Value extends string>(props: RadioCardsProps<Value>): JSX.Element {
  const id = createUniqueId();
  return (
    <fieldset
      class="flex flex-col gap-1.5"
      aria-describedby={props.error ? `${id}-error` : undefined}
    >
      <legend
        class="mb-1.5 text-base font-medium"
        classList={{ "sr-only": props.hideLegend === true }}
      >
        {props.legend}
      </legend>
      <div class="grid grid-cols-[repeat(auto-fit,minmax(5rem,1fr))] gap-2">
        <For each={props.choices}>
          {(choice) => (
            <label class="figures flex min-h-11 flex-col items-center justify-center rounded-control border border-control px-3 py-2 text-center font-medium transition-colors hover:bg-hover has-checked:border-brand has-checked:bg-info-tint has-checked:ring-1 has-checked:ring-brand has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus has-disabled:opacity-60">
              <input
                type="radio"
                class="sr-only"
                name={props.name}
                value={choice.value}
                checked={choice.value === props.value}
                disabled={choice.disabled}
                onChange={() => props.onChange(choice.value)}
              />
              <span translate={translateOf(choice.label)}>{choice.label}</span>
              <Show when={choice.hint}>
                <span class="text-xs font-normal text-muted">{choice.hint}</span>
              </Show>
            </label>
          )}
        </For>
      </div>
      <FieldError id={`${id}-error`} error={props.error} />
    </fieldset>
  );
}
