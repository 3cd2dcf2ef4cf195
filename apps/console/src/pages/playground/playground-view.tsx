// The Playground on the page: the tools at the top, a column for each model, one composer under them all, the
// parameters beside one column or in a sheet.
import type { Component, JSX } from "solid-js";
import { lazy, Show, Suspense } from "solid-js";
import { Dynamic } from "solid-js/web";
import { formatRate } from "../../lib/format.ts";
import { loadOnce } from "../../lib/load-once.ts";
import { Button, IconButton } from "../../ui/buttons/button.tsx";
import {
  ArrowDown,
  ChevronDown,
  Code,
  Columns as ColumnsIcon,
  History,
  Plus,
  SlidersHorizontal,
  X,
} from "../../ui/icons.ts";
import { useMedia } from "../../ui/layout/use-media.ts";
import { Announcer } from "./answers/announcer.tsx";
import { useFollow } from "./answers/use-follow.ts";
import { Columns } from "./columns/columns.tsx";
import type { Column } from "./columns/create-column.ts";
import { Composer } from "./composer/composer.tsx";
import { Examples } from "./composer/examples.tsx";
import { columnsMax, hasMessages, type Model } from "./conversation/conversation.ts";
import type { Playground } from "./create-playground.ts";
import { ParametersPanel } from "./parameters/parameters-panel.tsx";

// Loaded after the page: the library of overlays is larger than it.
const PlaygroundDialogs = lazy(loadOnce(() => import("./playground-dialogs.tsx")));

type ViewProps = { playground: Playground };

export function PlaygroundView(props: ViewProps): JSX.Element {
  const { playground } = props;
  const { columns } = playground;
  const wide = useMedia("(width >= 64rem)");
  const many = () => columns().length > 1;
  const beside = () => wide() && !many();
  const panel = () => <ParametersPanel playground={playground} />;
  // Esc stops the answers, unless a dialog handles it.
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape" && !document.querySelector("[role=dialog]")) playground.stop();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key works wherever the focus is in here
    <div
      class="grid gap-6"
      classList={{ "lg:grid-cols-[minmax(0,1fr)_18rem]": !many() }}
      onKeyDown={onKey}
    >
      <div class="flex min-h-[calc(100dvh-8.75rem)] min-w-0 flex-col gap-4 max-sm:-mb-12 sm:min-h-[calc(100dvh-9rem)]">
        <div class="flex flex-wrap items-center gap-2">
          <Show when={!many() && columns()[0]}>
            {(column) => <ColumnHead {...props} column={column()} />}
          </Show>
          <Toolbar {...props} beside={beside()} />
        </div>
        <Columns
          columns={columns()}
          nameOf={playground.nameOf}
          head={(column) => <ColumnHead {...props} column={column} removable />}
        />
        <Show when={!hasMessages(playground.conversation)}>
          <Examples many={many()} onChoose={playground.setDraft} />
        </Show>
        <Announcer playground={playground} />
        <Bottom {...props} />
      </div>
      <Show when={beside()}>
        <aside
          aria-label="Parameters"
          class="sticky top-20 max-h-[calc(100dvh-9rem)] self-start overflow-y-auto rounded-card border border-border p-4"
        >
          {panel()}
        </aside>
      </Show>
      <Suspense>
        <PlaygroundDialogs playground={playground} parameters={beside() ? undefined : panel} />
      </Suspense>
    </div>
  );
}

/** The composer, and above it the way down while the reader has scrolled up. */
function Bottom(props: ViewProps): JSX.Element {
  const { columns, conversation } = props.playground;
  const lasts = () => columns().map(({ thread }) => thread.messages.at(-1));
  const follow = useFollow(
    () => Math.max(...conversation.threads.map(({ messages }) => messages.length)),
    () => [
      ...lasts().map((last) => [last?.text.length, last?.reasoning.length, last?.run?.ending]),
      ...lasts().map((last) => last?.run?.charge),
      ...columns().map(({ failure }) => failure()),
    ],
  );
  return (
    <div class="sticky bottom-14 z-10 -mx-1 flex flex-col gap-3 bg-bg px-1 pt-1 pb-2 sm:bottom-0">
      <Show when={follow.away() && hasMessages(conversation)}>
        <div class="absolute inset-x-0 -top-11 flex justify-center">
          <Button
            size="small"
            class="shadow-popover"
            icon={<ArrowDown class="size-4" aria-hidden="true" />}
            onClick={follow.jump}
          >
            Jump to latest
          </Button>
        </div>
      </Show>
      <Composer {...props} />
    </div>
  );
}

/**
 * The model with its price; a click opens the list to choose another from. `removable`: it is one of several columns,
 * which have no room for the unit of the price.
 */
function ColumnHead(props: ViewProps & { column: Column; removable?: boolean }): JSX.Element {
  const { playground } = props;
  const thread = () => props.column.thread;
  const isOffered = () => playground.modelOf(thread().model) !== undefined;
  const name = () => playground.nameOf(thread().model);
  const price = () => {
    const model = props.column.priced();
    return model === undefined ? "See the model's page for its price" : ratesOf(model);
  };
  return (
    <div class="flex min-w-0 items-center gap-1 max-sm:w-full">
      <div class="min-w-0 flex-1">
        <button
          type="button"
          aria-haspopup="dialog"
          class="flex min-h-11 w-full min-w-0 items-center gap-3 rounded-control border border-control bg-bg px-3 py-1.5 text-start transition-colors hover:bg-hover sm:w-auto sm:max-w-[min(100%,28rem)]"
          onClick={() => playground.setSheet(thread())}
        >
          <span class="min-w-0 flex-1">
            <span class="sr-only">Model: {name()}</span>
            <span class="block truncate font-medium" aria-hidden="true">
              {name()}
            </span>
            <Show when={isOffered()}>
              <span
                class="figures block truncate text-xs text-muted"
                title={`${price()}${props.column.priced() ? perMillion : ""}`}
              >
                {price()}
                {props.column.priced() && !props.removable && perMillion}
              </span>
            </Show>
          </span>
          <ChevronDown class="size-4 shrink-0 text-muted" aria-hidden="true" />
        </button>
      </div>
      <Show when={props.removable}>
        <IconButton label={`Remove ${name()}`} onClick={() => playground.removeThread(thread().id)}>
          <X class="size-4" aria-hidden="true" />
        </IconButton>
      </Show>
    </div>
  );
}

function ratesOf({ prices }: Model): string {
  const free = "Free";
  return `${formatRate(prices.inputUsd, free)} in · ${formatRate(prices.outputUsd, free)} out`;
}

const perMillion = ", per 1M tokens";

/** `beside`: the parameters are on the page already. */
function Toolbar(props: ViewProps & { beside: boolean }): JSX.Element {
  const { add, columns, models, setSheet, startNew } = props.playground;
  const next = () =>
    columns().length < columnsMax
      ? models().find(({ id }) => columns().every(({ thread }) => thread.model !== id))
      : undefined;
  return (
    <div class="flex flex-wrap gap-1 max-sm:-mx-1.5 max-sm:gap-0 sm:ms-auto">
      <Show when={!props.beside}>
        <Tool icon={SlidersHorizontal} onClick={() => setSheet("parameters")}>
          Parameters
        </Tool>
      </Show>
      <Show when={next()}>
        {(model) => (
          <Tool icon={ColumnsIcon} onClick={() => add(model().id)}>
            {columns().length > 1 ? "Add model" : "Compare"}
          </Tool>
        )}
      </Show>
      <Tool icon={Code} onClick={() => setSheet("code")}>
        View code
      </Tool>
      <Tool icon={History} onClick={() => setSheet("history")}>
        History
      </Tool>
      <Tool icon={Plus} onClick={startNew}>
        New chat
      </Tool>
    </div>
  );
}

type ToolProps = {
  /** Not on phones, where all of them just fit into one row. */
  icon: Component<{ class?: string; "aria-hidden"?: "true" }>;
  onClick: () => void;
  children: JSX.Element;
};

function Tool(props: ToolProps): JSX.Element {
  return (
    <Button
      variant="ghost"
      size="small"
      class="px-2! max-sm:px-1.5!"
      icon={<Dynamic component={props.icon} class="size-4 max-sm:hidden" aria-hidden="true" />}
      onClick={props.onClick}
    >
      {props.children}
    </Button>
  );
}
