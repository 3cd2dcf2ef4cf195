// The filters of Logs: status, keys, models and request id are visible, the rest on demand.
import type { JSX } from "solid-js";
import { createEffect, createSignal, For, on, Show } from "solid-js";
import { useFilterGroups } from "../../product/filters/filter-groups.ts";
import { RequestFilters } from "../../product/filters/request-filters.tsx";
import { operationNames } from "../../product/usage/usage-names.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Checkbox, choicesOf, Select } from "../../ui/forms/choices.tsx";
import { TextField } from "../../ui/forms/text-field.tsx";
import { X } from "../../ui/icons.ts";
import { usePhone } from "../../ui/layout/use-media.ts";
import { FilterSelect } from "../../ui/tables/filter-bar.tsx";
import { isAmount, isLatency, type LogsView, statusNames, withoutNames } from "./use-logs-view.ts";

const onDemand = ["operation", "code", "app", "user", "without", "minCost", "minLatency"] as const;

type LogFiltersProps = { view: LogsView; end: JSX.Element };

export function LogFilters(props: LogFiltersProps): JSX.Element {
  const { view } = props;
  const phone = usePhone();
  const groups = useFilterGroups(view);
  const hasMore = () => view.count(onDemand) > 0;
  const [more, setMore] = createSignal(hasMore());
  // A row or a link may set one of them too.
  createEffect(on(hasMore, (has) => has && setMore(true), { defer: true }));
  return (
    <>
      <RequestFilters view={view} groups={groups()} end={props.end}>
        <FilterSelect
          label="Status"
          value={view.get("status")}
          onChange={(status) => view.set({ status })}
          any="Any status"
          choices={choicesOf(statusNames)}
        />
        <input
          type="search"
          aria-label="Find a request id"
          placeholder="Find a request id"
          data-page-search=""
          class="field h-8! text-sm! sm:w-48"
          value={view.get("request")}
          onChange={(event) => view.set({ request: event.currentTarget.value.trim() })}
        />
        <Show when={!phone()} fallback={<MoreFields view={view} />}>
          <Button
            size="small"
            variant="ghost"
            aria-expanded={more()}
            onClick={() => setMore((shown) => !shown)}
          >
            More filters
          </Button>
        </Show>
      </RequestFilters>
      <Show when={more() && !phone()}>
        <div class="mb-4 grid max-w-4xl grid-cols-4 items-start gap-3">
          <MoreFields view={view} />
        </div>
      </Show>
      <Chips view={view} />
    </>
  );
}

function MoreFields(props: { view: LogsView }): JSX.Element {
  const { view } = props;
  return (
    <>
      <Select
        label="Operation"
        value={view.get("operation")}
        onChange={(operation) => view.set({ operation })}
        choices={[{ value: "", label: "Any operation" }, ...choicesOf(operationNames)]}
      />
      <FilterField view={view} name="code" label="Error code" />
      <NameField view={view} name="app" label="App" />
      <NameField view={view} name="user" label="User" />
      <FilterField
        view={view}
        name="minCost"
        label="Minimum cost, USD"
        wrong={(text) => (isAmount(text) ? undefined : "Enter an amount such as 0.10.")}
      />
      <FilterField
        view={view}
        name="minLatency"
        label="Minimum duration, ms"
        wrong={(text) => (isLatency(text) ? undefined : "Enter a whole number of milliseconds.")}
      />
    </>
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
  const applied = () => props.view.get(props.name);
  const value = () => typed() ?? applied();
  const commit = () => {
    const text = value().trim();
    setTyped(undefined);
    if (text === applied()) return;
    const without = props.view.get("without").filter((name) => name !== props.name);
    props.view.set({ [props.name]: text, without });
  };
  return (
    <TextField
      label={props.label}
      value={value()}
      onInput={setTyped}
      error={applied() === "" ? undefined : props.wrong?.(applied())}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") commit();
      }}
    />
  );
}

/** One name, or the requests that were sent without any. */
function NameField(props: FilterFieldProps & { name: "app" | "user" }): JSX.Element {
  const { view, name } = props;
  const others = () => view.get("without").filter((one) => one !== name);
  return (
    <div class="flex flex-col gap-1.5">
      <FilterField {...props} />
      <Checkbox
        label={<span class="block text-sm">{withoutNames[name]}</span>}
        checked={view.get("without").includes(name)}
        onChange={(on) =>
          view.set({ without: [...others(), ...(on ? [name] : [])], ...(on && { [name]: "" }) })
        }
      />
    </div>
  );
}

/** Filters that only a link sets. */
function Chips(props: { view: LogsView }): JSX.Element {
  const { view } = props;
  const chips = () => {
    const origin = view.get("origin");
    const shown = view.get("providers").map((name) => ({
      text: `Provider: ${name}`,
      remove: () => view.set({ providers: [] }),
    }));
    if (origin === "") return shown;
    const text = origin === "api" ? "API only" : "Playground only";
    return [...shown, { text, remove: () => view.set({ origin: "" }) }];
  };
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
