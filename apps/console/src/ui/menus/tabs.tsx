// Tabs: one tab stop, arrows move and choose, Home and End jump.
import type { JSX } from "solid-js";
import { createUniqueId, For } from "solid-js";

type Tab<Id extends string> = { readonly id: Id; readonly label: JSX.Element };

type TabsProps<Id extends string> = {
  label: string;
  tabs: readonly Tab<Id>[];
  value: Id;
  onChange: (id: Id) => void;
  /** The panel of the chosen tab. */
  children: JSX.Element;
  /** At the end of the row of tabs, such as a copy button. */
  end?: JSX.Element;
  panelClass?: string;
};

export function Tabs<Id extends string>(props: TabsProps<Id>): JSX.Element {
  const base = createUniqueId();
  const move = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const target = nextIndex(
      event.key,
      props.tabs.findIndex((tab) => tab.id === props.value),
      props.tabs.length,
    );
    const tab = target === undefined ? undefined : props.tabs[target];
    if (!tab) return;
    event.preventDefault();
    props.onChange(tab.id);
    event.currentTarget.querySelector<HTMLElement>(`#${CSS.escape(`${base}-${tab.id}`)}`)?.focus();
  };
  return (
    <div class="min-w-0">
      <div class="flex items-center justify-between gap-2 border-b border-border">
        <div
          role="tablist"
          aria-label={props.label}
          tabindex={-1}
          class="flex min-w-0 gap-1 overflow-x-auto px-1"
          onKeyDown={move}
        >
          <For each={props.tabs}>
            {(tab) => (
              <button
                type="button"
                role="tab"
                id={`${base}-${tab.id}`}
                aria-selected={tab.id === props.value}
                aria-controls={`${base}-panel`}
                tabindex={tab.id === props.value ? 0 : -1}
                class="relative h-10 rounded-control px-3 text-sm whitespace-nowrap text-muted -outline-offset-2! transition-colors hover:text-text aria-selected:font-medium aria-selected:text-text aria-selected:after:absolute aria-selected:after:inset-x-2 aria-selected:after:-bottom-px aria-selected:after:h-0.5 aria-selected:after:bg-brand pointer-coarse:h-11"
                onClick={() => props.onChange(tab.id)}
              >
                {tab.label}
              </button>
            )}
          </For>
        </div>
        {props.end}
      </div>
      <div
        role="tabpanel"
        id={`${base}-panel`}
        aria-labelledby={`${base}-${props.value}`}
        class={props.panelClass}
      >
        {props.children}
      </div>
    </div>
  );
}

function nextIndex(key: string, index: number, count: number): number | undefined {
  if (key === "ArrowRight") return (index + 1) % count;
  if (key === "ArrowLeft") return (index - 1 + count) % count;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : undefined;
}
