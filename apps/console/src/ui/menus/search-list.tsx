// A search field and the list of its results: arrows move, Enter runs, Ctrl+Enter runs in a new tab.
// The focus never leaves the field; screen readers follow the active option.
import type { JSX } from "solid-js";
import { createEffect, createMemo, createSignal, createUniqueId, For, on, Show } from "solid-js";
import { Search } from "../icons.ts";

export type Option = {
  readonly id: string;
  readonly title: string;
  /** Beside the title, muted: an id, a price. */
  readonly note?: string | undefined;
  /** At the end: its kind, or a key to press. */
  readonly hint?: string | undefined;
  /** The heading it is listed under; options of one group must be adjacent. */
  readonly group?: string | undefined;
  readonly icon?: JSX.Element;
};

type SearchListProps = {
  label: string;
  placeholder: string;
  query: string;
  onQuery: (query: string) => void;
  options: readonly Option[];
  onRun: (id: string, apart: boolean) => void;
  /** Shown when nothing is found. */
  none: string;
  /** Marked, and active at first. */
  chosen?: string | undefined;
  inputRef?: ((element: HTMLInputElement) => void) | undefined;
};

export function SearchList(props: SearchListProps): JSX.Element {
  const base = createUniqueId();
  const [active, setActive] = createSignal(0);
  const idOf = (index: number) => `${base}-${index}`;
  createEffect(
    on(
      () => props.query,
      () => {
        const chosen = props.options.findIndex((option) => option.id === props.chosen);
        setActive(Math.max(0, props.query === "" ? chosen : 0));
      },
    ),
  );
  const shown = createMemo(() => Math.min(active(), props.options.length - 1));
  createEffect(() => {
    document.getElementById(idOf(shown()))?.scrollIntoView({ block: "nearest" });
  });
  const onKey = (event: KeyboardEvent) => {
    const count = props.options.length;
    const next = nextIndex(event.key, shown(), count);
    if (next !== undefined && count > 0) {
      event.preventDefault();
      setActive(next);
    } else if (event.key === "Enter") {
      event.preventDefault();
      const option = props.options[shown()];
      if (option) props.onRun(option.id, event.ctrlKey || event.metaKey);
    }
  };
  return (
    <div class="flex min-h-0 flex-1 flex-col">
      <div class="relative shrink-0 border-b border-border">
        <Search
          class="pointer-events-none absolute start-4 top-1/2 size-4 -translate-y-1/2 text-muted"
          aria-hidden="true"
        />
        <input
          type="text"
          role="combobox"
          aria-label={props.label}
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={`${base}-list`}
          aria-activedescendant={props.options.length > 0 ? idOf(shown()) : undefined}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          placeholder={props.placeholder}
          class="h-13 w-full bg-transparent ps-11 pe-4 text-lg -outline-offset-2! sm:text-base"
          value={props.query}
          ref={(element) => props.inputRef?.(element)}
          onInput={(event) => props.onQuery(event.currentTarget.value)}
          onKeyDown={onKey}
        />
      </div>
      <div
        id={`${base}-list`}
        role="listbox"
        aria-label={props.label}
        tabindex={-1}
        class="min-h-0 flex-1 overflow-y-auto p-2"
      >
        <For each={props.options}>
          {(option, index) => (
            <>
              <Show when={option.group && option.group !== props.options[index() - 1]?.group}>
                <div
                  role="presentation"
                  class="px-3 pt-3 pb-1 text-xs font-medium text-muted first:pt-1"
                >
                  {option.group}
                </div>
              </Show>
              <OptionRow
                option={option}
                id={idOf(index())}
                active={index() === shown()}
                chosen={option.id === props.chosen}
                onActive={() => setActive(index())}
                onRun={(apart) => props.onRun(option.id, apart)}
              />
            </>
          )}
        </For>
      </div>
      <p
        class="shrink-0 px-5 text-muted"
        role="status"
        classList={{ "py-6": props.options.length === 0 }}
      >
        {props.options.length === 0 ? props.none : ""}
      </p>
    </div>
  );
}

type OptionRowProps = {
  option: Option;
  id: string;
  active: boolean;
  chosen: boolean;
  onActive: () => void;
  onRun: (apart: boolean) => void;
};

function OptionRow(props: OptionRowProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus, and names this one active
    <div
      id={props.id}
      role="option"
      aria-selected={props.active}
      data-selected={props.active ? "" : undefined}
      class="flex min-h-10 cursor-pointer items-center gap-3 rounded-control px-3 py-1.5 data-selected:bg-hover pointer-coarse:min-h-11"
      onPointerMove={() => {
        if (!props.active) props.onActive();
      }}
      onPointerDown={(event) => event.preventDefault()}
      onClick={(event) => props.onRun(event.ctrlKey || event.metaKey)}
    >
      <Show when={props.option.icon}>
        <span class="text-muted" aria-hidden="true">
          {props.option.icon}
        </span>
      </Show>
      <span class="min-w-0 flex-1">
        <span class="block truncate" classList={{ "font-medium": props.chosen }}>
          {props.option.title}
        </span>
        <Show when={props.option.note}>
          <span class="block truncate text-xs text-muted">{props.option.note}</span>
        </Show>
      </span>
      <Show when={props.option.hint}>
        <span class="shrink-0 text-xs text-muted">{props.option.hint}</span>
      </Show>
    </div>
  );
}

function nextIndex(key: string, index: number, count: number): number | undefined {
  if (key === "ArrowDown") return (index + 1) % count;
  if (key === "ArrowUp") return (index - 1 + count) % count;
  if (key === "PageDown") return Math.min(count - 1, index + 8);
  return key === "PageUp" ? Math.max(0, index - 8) : undefined;
}
