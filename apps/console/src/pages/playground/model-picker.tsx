// The chosen chat model with its price; a click opens a searchable list.
import type { JSX } from "solid-js";
import { createMemo, createSignal, Show } from "solid-js";
import { formatRate } from "../../lib/format.ts";
import { rank } from "../../lib/match.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ChevronDown } from "../../ui/icons.ts";
import { SearchList } from "../../ui/search-list.tsx";
import type { Model } from "./conversation.ts";

type ModelPickerProps = {
  models: readonly Model[];
  value: string;
  onChange: (id: string) => void;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

export function ModelPicker(props: ModelPickerProps): JSX.Element {
  const chosen = () => props.models.find((model) => model.id === props.value);
  const name = () => chosen()?.name ?? props.value;
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        class="flex min-h-11 w-full min-w-0 items-center gap-3 rounded-control border border-control bg-bg px-3 py-1.5 text-start transition-colors hover:bg-hover sm:w-auto sm:max-w-[min(100%,28rem)]"
        onClick={() => props.onOpenChange(true)}
      >
        <span class="min-w-0 flex-1">
          <span class="sr-only">Model: {name()}</span>
          <span class="block truncate font-medium" aria-hidden="true">
            {name()}
          </span>
          <Show when={chosen()}>
            {(model) => (
              <span class="figures block truncate text-xs text-muted">{priceOf(model())}</span>
            )}
          </Show>
        </span>
        <ChevronDown class="size-4 shrink-0 text-muted" aria-hidden="true" />
      </button>
      <ModelDialog {...props} />
    </>
  );
}

function ModelDialog(props: ModelPickerProps): JSX.Element {
  let input: HTMLInputElement | undefined;
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title="Choose a model"
      flush
      initialFocus={() => input}
    >
      <ModelSearch
        {...props}
        inputRef={(element) => {
          input = element;
        }}
      />
    </Dialog>
  );
}

function ModelSearch(
  props: ModelPickerProps & { inputRef: (element: HTMLInputElement) => void },
): JSX.Element {
  const [query, setQuery] = createSignal("");
  const options = createMemo(() =>
    rank(props.models, query(), (model) => `${model.name} ${model.id}`).map((model) => ({
      id: model.id,
      title: model.name,
      note: model.id,
      hint: ratesOf(model),
    })),
  );
  return (
    <SearchList
      label="Search models by name or id"
      placeholder="Search models by name or id"
      query={query()}
      onQuery={setQuery}
      options={options()}
      chosen={props.value}
      none="No models match."
      inputRef={props.inputRef}
      onRun={(id) => {
        props.onChange(id);
        props.onOpenChange(false);
      }}
    />
  );
}

function ratesOf({ prices }: Model): string {
  const free = "Free";
  return `${formatRate(prices.inputUsd, free)} / ${formatRate(prices.outputUsd, free)}`;
}

function priceOf({ prices }: Model): string {
  const free = "Free";
  return `${formatRate(prices.inputUsd, free)} in · ${formatRate(prices.outputUsd, free)} out, per 1M tokens`;
}
