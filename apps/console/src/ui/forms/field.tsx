// A labeled control with its hint and error: what every kind of input has in common.

import type { JSX } from "solid-js";
import { createUniqueId, Show } from "solid-js";
import { CircleAlert } from "../icons.ts";

export type FieldProps = {
  label: string;
  hint?: JSX.Element;
  error?: string | undefined;
  /** Adds "(optional)" to the label. */
  optional?: boolean | undefined;
};

export type FieldIds = {
  readonly control: string;
  readonly describedBy: () => string | undefined;
};

/** Gives the control its ids; the error is announced when it appears. */
export function Field(
  props: FieldProps & { children: (ids: FieldIds) => JSX.Element },
): JSX.Element {
  const id = createUniqueId();
  const describedBy = () => {
    const parts = [props.error && `${id}-error`, props.hint && `${id}-hint`].filter(Boolean);
    return parts.length === 0 ? undefined : parts.join(" ");
  };
  return (
    <div class="flex flex-col gap-1.5">
      <label for={id} class="text-base font-medium">
        {props.label}
        <Show when={props.optional}>
          <span class="ms-1 font-normal text-muted">(optional)</span>
        </Show>
      </label>
      {props.children({ control: id, describedBy })}
      <FieldError id={`${id}-error`} error={props.error} />
      <Show when={props.hint}>
        <div id={`${id}-hint`} class="text-sm text-muted">
          {props.hint}
        </div>
      </Show>
    </div>
  );
}

export function FieldError(props: { id: string; error: string | undefined }): JSX.Element {
  return (
    <Show when={props.error}>
      <p id={props.id} class="flex items-start gap-1.5 text-sm text-danger">
        <CircleAlert class="mt-0.5 size-4 shrink-0" aria-hidden="true" />
        <span>{props.error}</span>
      </p>
    </Show>
  );
}
