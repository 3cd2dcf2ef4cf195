// The filters of Logs: status, keys, models and request id are visible, the rest on demand.
import type { JSX } from "solid-js";
import { createEffect, createMemo, createSignal, For, on, Show } from "solid-js";
import { useModels } from "../../lib/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Select, SelectControl } from "../../ui/choices.tsx";
import { X } from "../../ui/icons.ts";
import { TextField } from "../../ui/text-field.tsx";
import { usePhone } from "../../ui/use-media.ts";
import { FilterBar, type FilterGroup } from "../shared/filter-bar.tsx";
import type { Key } from "../shared/key-spend.tsx";
import { useProjectFilter } from "../shared/projects.tsx";
import { operationNames } from "../shared/usage-names.ts";
import { isAmount, isLatency, type LogsView, operations, statusClasses } from "./use-logs-view.ts";

const statusNames = {
  "2xx": "2xx, succeeded",
  "4xx": "4xx (rejected)",
  "5xx": "5xx, failed",
  canceled: "Canceled",
} as const;

type LogFiltersProps = { view: LogsView; keys: readonly Key[]; end: JSX.Element };

export function LogFilters(props: LogFiltersProps): JSX.Element {
  const { view } = props;
  const phone = usePhone();
  const groups = useGroups(props);
  const projects = useProjectFilter(
    () => view.list("projects"),
    (chosen) => view.setList("projects", chosen),
  );
  const [more, setMore] = createSignal(hasMore(view));
  // A row or a link may set one of them too.
  createEffect(
    on(
      () => hasMore(view),
      (has) => has && setMore(true),
      { defer: true },
    ),
  );
  return (
    <>
      <FilterBar view={view} groups={[...projects(), ...groups]} end={props.end}>
        <StatusFilter view={view} />
        <RequestSearch view={view} />
        <Show when={phone()} fallback={<MoreButton open={more()} onToggle={setMore} />}>
          <MoreFields view={view} />
        </Show>
      </FilterBar>
      <Show when={more() && !phone()}>
        <div class="mb-4 grid max-w-4xl grid-cols-4 gap-3">
          <MoreFields view={view} />
        </div>
      </Show>
      <Chips view={view} />
    </>
  );
}

/** Getters: a menu that is open stays open while what it lists changes. */
function useGroups(props: LogFiltersProps): readonly FilterGroup[] {
  const models = useModels();
  const modelIds = createMemo(() => models.data?.map(({ id }) => id) ?? []);
  return [
    {
      id: "keys",
      label: "Keys",
      get options() {
        return props.keys.map((key) => ({ value: key.id, label: key.name }));
      },
      get chosen() {
        return props.view.list("keys");
      },
      onChange: (chosen) => props.view.setList("keys", chosen),
    },
    {
      id: "models",
      label: "Models",
      get options() {
        return modelIds().map((id) => ({ value: id, label: id }));
      },
      get chosen() {
        return props.view.list("models");
      },
      onChange: (chosen) => props.view.setList("models", chosen),
    },
  ];
}

function StatusFilter(props: { view: LogsView }): JSX.Element {
  const choices = [
    { value: "", label: "Any status" },
    ...statusClasses.map((value) => ({ value: String(value), label: statusNames[value] })),
  ];
  return (
    <SelectControl
      label="Status"
      small
      value={props.view.text("status")}
      onChange={(status) => props.view.filter({ status: status || undefined })}
      choices={choices}
    />
  );
}

function RequestSearch(props: { view: LogsView }): JSX.Element {
  return (
    <input
      type="search"
      aria-label="Find a request id"
      placeholder="Find a request id"
      data-page-search=""
      class="field h-8! text-sm! sm:w-48"
      value={props.view.text("request")}
      onChange={(event) =>
        props.view.filter({ request: event.currentTarget.value.trim() || undefined })
      }
    />
  );
}

function hasMore(view: LogsView): boolean {
  return (["operation", "code", "app", "user", "minCost", "minLatency"] as const).some(
    (name) => view.text(name) !== "",
  );
}

function MoreButton(props: { open: boolean; onToggle: (open: boolean) => void }): JSX.Element {
  return (
    <Button
      size="small"
      variant="ghost"
      aria-expanded={props.open}
      onClick={() => props.onToggle(!props.open)}
    >
      More filters
    </Button>
  );
}

function MoreFields(props: { view: LogsView }): JSX.Element {
  return (
    <>
      <OperationFilter view={props.view} />
      <FilterField view={props.view} name="code" label="Error code" />
      <FilterField view={props.view} name="app" label="App" />
      <FilterField view={props.view} name="user" label="User" />
      <FilterField
        view={props.view}
        name="minCost"
        label="Minimum cost, USD"
        wrong={(text) => (isAmount(text) ? undefined : "Enter an amount such as 0.10.")}
      />
      <FilterField
        view={props.view}
        name="minLatency"
        label="Minimum duration, ms"
        wrong={(text) => (isLatency(text) ? undefined : "Enter a whole number of milliseconds.")}
      />
    </>
  );
}

function OperationFilter(props: { view: LogsView }): JSX.Element {
  const choices = [
    { value: "", label: "Any operation" },
    ...operations.map((value) => ({ value: String(value), label: operationNames[value] })),
  ];
  return (
    <Select
      label="Operation"
      value={props.view.text("operation")}
      onChange={(operation) => props.view.filter({ operation: operation || undefined })}
      choices={choices}
    />
  );
}

type FilterFieldProps = {
  view: LogsView;
  name: "code" | "app" | "user" | "minCost" | "minLatency";
  label: string;
  wrong?: (text: string) => string | undefined;
};

/** Applies on blur or Enter, not on each keystroke. */
function FilterField(props: FilterFieldProps): JSX.Element {
  const [typed, setTyped] = createSignal<string>();
  const value = () => typed() ?? props.view.text(props.name);
  const wrong = () => {
    const text = props.view.text(props.name);
    return text === "" ? undefined : props.wrong?.(text);
  };
  const commit = () => {
    const text = value().trim();
    setTyped(undefined);
    if (text !== props.view.text(props.name))
      props.view.filter({ [props.name]: text || undefined });
  };
  return (
    <TextField
      label={props.label}
      value={value()}
      onInput={setTyped}
      error={wrong()}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") commit();
      }}
    />
  );
}

/** Filters that only a link sets. */
function Chips(props: { view: LogsView }): JSX.Element {
  const chips = () => [
    ...props.view.list("providers").map((name) => ({
      text: `Provider: ${name}`,
      remove: () => props.view.filter({ providers: undefined }),
    })),
    ...(props.view.filters().origin === undefined
      ? []
      : [
          {
            text: props.view.text("origin") === "api" ? "API only" : "Playground only",
            remove: () => props.view.filter({ origin: undefined }),
          },
        ]),
  ];
  return (
    <Show when={chips().length > 0}>
      <ul class="mb-4 flex flex-wrap gap-2">
        <For each={chips()}>
          {(chip) => (
            <li>
              <button
                type="button"
                aria-label={`Remove the filter ${chip.text}`}
                class="inline-flex min-h-7 items-center gap-1.5 rounded-full border border-border px-3 text-sm hover:bg-hover pointer-coarse:min-h-11"
                onClick={() => chip.remove()}
              >
                {chip.text}
                <X class="size-3.5 text-muted" aria-hidden="true" />
              </button>
            </li>
          )}
        </For>
      </ul>
    </Show>
  );
}
