// A field for a list of ids: what is typed narrows the known ones, Enter adds one, and a pattern such as `anthropic/*`
// stands for all that begin with it. The value is one id per line; what was typed and not added is added on leaving.
import type { JSX } from "solid-js";
import { createMemo, createSignal, createUniqueId, For } from "solid-js";
import { rank } from "../../lib/match.ts";
import { splitList } from "../../lib/typed-text.ts";
import { X } from "../icons.ts";
import { Field, type FieldProps } from "./field.tsx";

type ListFieldProps = FieldProps & {
  name?: string | undefined;
  /** One id per line. */
  value: string;
  onInput: (value: string) => void;
  onBlur?: (() => void) | undefined;
  /** What may be chosen; anything else may be typed. */
  known: readonly string[];
};

const shownMax = 50;

/** Each id, and before them a pattern for each vendor with several. */
export function withPatterns(ids: readonly string[]): readonly string[] {
  const vendors = Map.groupBy(ids, (id) => id.slice(0, id.indexOf("/") + 1));
  const patterns = [...vendors].filter(([vendor, own]) => vendor !== "" && own.length > 1);
  return [...patterns.map(([vendor]) => `${vendor}*`), ...ids];
}

export function ListField(props: ListFieldProps): JSX.Element {
  const listId = createUniqueId();
  const [typed, setTyped] = createSignal("");
  const [open, setOpen] = createSignal(false);
  const [active, setActive] = createSignal(-1);
  const chosen = () => splitList(props.value);
  const options = createMemo(() => {
    const left = props.known.filter((id) => !chosen().includes(id));
    return rank(left, typed(), (id) => id).slice(0, shownMax);
  });
  const write = (entries: readonly string[]) => props.onInput(entries.join("\n"));
  const add = (text: string) => {
    if (text.trim() !== "") write(splitList(`${props.value}\n${text}`));
    setTyped("");
    setActive(-1);
  };
  const remove = (entry: string) => write(chosen().filter((each) => each !== entry));
  const onKey = (event: KeyboardEvent) => {
    const count = options().length;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      setOpen(true);
      const step = event.key === "ArrowDown" ? 1 : -1;
      setActive((at) => (count === 0 ? -1 : (at + step + count) % count));
    } else if (event.key === "Enter" && (active() >= 0 || typed() !== "")) {
      event.preventDefault();
      add(options()[active()] ?? typed());
    } else if (event.key === "Escape" && open()) {
      // Only the list closes, not the dialog around it.
      event.stopPropagation();
      setOpen(false);
    } else if (event.key === "Backspace" && typed() === "") {
      write(chosen().slice(0, -1));
    }
  };
  return (
    <Field label={props.label} hint={props.hint} error={props.error} optional={props.optional}>
      {(ids) => (
        <div
          onFocusOut={({ currentTarget, relatedTarget }) => {
            if (relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) return;
            add(typed());
            setOpen(false);
            props.onBlur?.();
          }}
        >
          <div class="field flex h-auto! min-h-9 flex-wrap items-center gap-1.5 py-1! focus-within:border-focus focus-within:ring-1 focus-within:ring-focus">
            <For each={chosen()}>
              {(entry) => <Entry text={entry} onRemove={() => remove(entry)} />}
            </For>
            <input
              id={ids.control}
              name={props.name}
              type="text"
              role="combobox"
              aria-expanded={open()}
              aria-autocomplete="list"
              aria-controls={listId}
              aria-activedescendant={active() >= 0 ? `${listId}-${active()}` : undefined}
              aria-invalid={props.error ? "true" : undefined}
              aria-describedby={ids.describedBy()}
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              class="h-7 min-w-32 flex-1 bg-transparent outline-none!"
              value={typed()}
              onFocus={() => setOpen(true)}
              onInput={(event) => {
                setTyped(event.currentTarget.value);
                setActive(-1);
                setOpen(true);
              }}
              onPaste={(event) => {
                const text = event.clipboardData?.getData("text") ?? "";
                if (!/[\s,]/.test(text.trim())) return;
                event.preventDefault();
                add(text);
              }}
              // Not delegated: a dialog around it would hear Escape first.
              on:keydown={onKey}
            />
          </div>
          <Options id={listId} options={open() ? options() : []} active={active()} onChoose={add} />
        </div>
      )}
    </Field>
  );
}

function Entry(props: { text: string; onRemove: () => void }): JSX.Element {
  return (
    <span class="inline-flex max-w-full items-center rounded-control bg-neutral-tint ps-2 text-sm">
      <span class="wrap-anywhere">{props.text}</span>
      <button
        type="button"
        aria-label={`Remove ${props.text}`}
        class="inline-flex size-6 items-center justify-center rounded-control hover:bg-hover pointer-coarse:size-11"
        onClick={() => props.onRemove()}
      >
        <X class="size-3.5" aria-hidden="true" />
      </button>
    </span>
  );
}

type OptionsProps = {
  id: string;
  options: readonly string[];
  active: number;
  onChoose: (option: string) => void;
};

function Options(props: OptionsProps): JSX.Element {
  return (
    <div
      id={props.id}
      role="listbox"
      aria-label="Suggestions"
      tabindex={-1}
      class="max-h-44 overflow-y-auto rounded-control p-1"
      classList={{
        "mt-1 border border-border": props.options.length > 0,
        hidden: props.options.length === 0,
      }}
    >
      <For each={props.options}>
        {(option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus, and names this one active
          <div
            id={`${props.id}-${index()}`}
            role="option"
            aria-selected={index() === props.active}
            class="min-h-8 cursor-pointer truncate rounded-control px-2 py-1 hover:bg-hover aria-selected:bg-hover pointer-coarse:min-h-11"
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => props.onChoose(option)}
          >
            {option}
          </div>
        )}
      </For>
    </div>
  );
}
