// The chosen chat model with its price; a click opens a searchable list.
import type { JSX } from "solid-js";
import { lazy, Show, Suspense } from "solid-js";
import { formatRate } from "../../lib/format.ts";
import { loadOnce } from "../../lib/load-once.ts";
import { ChevronDown } from "../../ui/icons.ts";
import type { Model } from "./conversation.ts";
import type { ModelPickerProps } from "./model-dialog.tsx";

const ModelDialog = lazy(loadOnce(() => import("./model-dialog.tsx")));

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
      <Suspense>
        <ModelDialog {...props} />
      </Suspense>
    </>
  );
}

function priceOf({ prices }: Model): string {
  const free = "Free";
  return `${formatRate(prices.inputUsd, free)} in · ${formatRate(prices.outputUsd, free)} out, per 1M tokens`;
}
