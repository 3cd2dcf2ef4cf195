// Fields people type into.
import type { JSX } from "solid-js";
import { createSignal, Show, splitProps } from "solid-js";
import { Field, type FieldProps } from "./field.tsx";

type InputAttributes = Omit<
  JSX.InputHTMLAttributes<HTMLInputElement>,
  "onInput" | "onChange" | "value" | "class" | "prefix"
>;

export type TextFieldProps = FieldProps &
  InputAttributes & {
    value: string;
    onInput: (value: string) => void;
    /** Shown inside the field, before what is typed, such as `$`. */
    prefix?: string | undefined;
    /** For keys, ids and addresses. */
    mono?: boolean | undefined;
  };

export function TextField(props: TextFieldProps): JSX.Element {
  const [field, own, attributes] = splitProps(
    props,
    ["label", "hint", "error", "optional"],
    ["value", "onInput", "prefix", "mono"],
  );
  return (
    <Field {...field}>
      {(ids) => (
        <div class="relative">
          <Show when={own.prefix}>
            <span class="pointer-events-none absolute inset-y-0 start-0 flex items-center ps-3 text-muted">
              {own.prefix}
            </span>
          </Show>
          <input
            type="text"
            {...attributes}
            id={ids.control}
            value={own.value}
            onInput={(event) => own.onInput(event.currentTarget.value)}
            aria-invalid={field.error ? "true" : undefined}
            aria-describedby={ids.describedBy()}
            class="field"
            classList={{ "ps-7": own.prefix !== undefined, "font-mono": own.mono === true }}
          />
        </div>
      )}
    </Field>
  );
}

/** For the address of an account; `autocomplete="username"` if it signs in. */
export function EmailField(props: TextFieldProps): JSX.Element {
  return (
    <TextField
      autocomplete="email"
      {...props}
      type="email"
      inputmode="email"
      autocapitalize="none"
      spellcheck={false}
    />
  );
}

type AreaAttributes = Omit<
  JSX.TextareaHTMLAttributes<HTMLTextAreaElement>,
  "onInput" | "onChange" | "value" | "class"
>;

export function TextArea(
  props: FieldProps &
    AreaAttributes & { value: string; onInput: (value: string) => void; mono?: boolean },
): JSX.Element {
  const [field, own, attributes] = splitProps(
    props,
    ["label", "hint", "error", "optional"],
    ["value", "onInput", "mono"],
  );
  return (
    <Field {...field}>
      {(ids) => (
        <textarea
          rows={4}
          {...attributes}
          id={ids.control}
          value={own.value}
          onInput={(event) => own.onInput(event.currentTarget.value)}
          aria-invalid={field.error ? "true" : undefined}
          aria-describedby={ids.describedBy()}
          class="field h-auto! py-2"
          classList={{ "font-mono": own.mono === true }}
        />
      )}
    </Field>
  );
}

type SearchProps = {
  label: string;
  value: string;
  onInput: (value: string) => void;
  /** Such as its width. */
  class?: string;
};

/** The search of a page's list, which `/` focuses. */
export function PageSearch(props: SearchProps): JSX.Element {
  return (
    <input
      type="search"
      aria-label={props.label}
      placeholder={props.label}
      data-page-search=""
      class={`field h-8! sm:text-sm! pointer-coarse:h-11! ${props.class ?? ""}`}
      value={props.value}
      onInput={(event) => props.onInput(event.currentTarget.value)}
    />
  );
}

/** With a toggle that shows what was typed; paste always works. */
export function PasswordField(props: TextFieldProps): JSX.Element {
  const [shown, setShown] = createSignal(false);
  const [field, own, attributes] = splitProps(
    props,
    ["label", "hint", "error", "optional"],
    ["value", "onInput", "prefix", "mono", "type"],
  );
  return (
    <Field {...field}>
      {(ids) => (
        <div class="relative">
          <input
            {...attributes}
            id={ids.control}
            type={shown() ? "text" : "password"}
            value={own.value}
            onInput={(event) => own.onInput(event.currentTarget.value)}
            aria-invalid={field.error ? "true" : undefined}
            aria-describedby={ids.describedBy()}
            autocapitalize="none"
            spellcheck={false}
            class="field pe-16"
          />
          <button
            type="button"
            aria-pressed={shown()}
            aria-controls={ids.control}
            aria-label={`${shown() ? "Hide" : "Show"} ${field.label.toLowerCase()}`}
            onClick={() => setShown(!shown())}
            class="absolute inset-y-0 end-0 rounded-control px-3 text-sm text-link hover:underline"
          >
            {shown() ? "Hide" : "Show"}
          </button>
        </div>
      )}
    </Field>
  );
}
