// The Playground on the page: the tools at the top, a column for each model, one composer under them all, the
// parameters beside one column or in a sheet.
import type { JSX } from "solid-js";
import { createMemo, createSignal, For, lazy, Show, Suspense } from "solid-js";
import { loadOnce } from "../../lib/load-once.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ArrowDown, Code, Columns, History, Plus, SlidersHorizontal, X } from "../../ui/icons.ts";
import { useMedia } from "../../ui/use-media.ts";
import { Announcer } from "./announcer.tsx";
import { acceptedTypes } from "./attachments.ts";
import { checkParameters, type ParameterErrors } from "./check-parameters.ts";
import { ColumnView, nameOf } from "./column-view.tsx";
import { Composer } from "./composer.tsx";
import { can, hasMessages, type Model } from "./conversation.ts";
import type { Column } from "./create-column.ts";
import { columnsMax, type Playground } from "./create-playground.ts";
import { estimateInput } from "./estimate-input.ts";
import { Examples } from "./examples.tsx";
import { ModelPicker } from "./model-picker.tsx";
import { ParametersPanel } from "./parameters-panel.tsx";
import { Tool } from "./tool.tsx";
import { useFollow } from "./use-follow.ts";

const CodeDialog = lazy(loadOnce(() => import("./code-dialog.tsx")));
const HistoryDialog = lazy(loadOnce(() => import("./history-dialog.tsx")));

type PlaygroundViewProps = { playground: Playground; models: readonly Model[] };
type Sheet = "parameters" | "code" | "history";

/** Those that are loaded after the page. */
const dialogs = { parameters: undefined, code: CodeDialog, history: HistoryDialog } as const;

export function PlaygroundView(props: PlaygroundViewProps): JSX.Element {
  const { playground } = props;
  const wide = useMedia("(width >= 64rem)");
  const [sheet, setSheet] = createSignal<Sheet>();
  const view = createView(props);
  const beside = () => wide() && !view.many();
  const panel = () => (
    <ParametersPanel playground={playground} model={view.models()[0]} errors={view.errors()} />
  );
  const toggle = (name: Sheet) => (open: boolean) => setSheet(open ? name : undefined);
  // A dialog that arrives open would not take the focus; a failed load is shown where it is opened.
  const openSheet = (name: Sheet) => {
    const show = () => setSheet(name);
    const dialog = dialogs[name];
    if (dialog === undefined) show();
    else dialog.preload().then(show, show);
  };
  // Esc stops the answers, unless a dialog handles it.
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape" && !document.querySelector("[role=dialog]")) playground.stop();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key works wherever the focus is in here
    <div
      class="grid gap-6"
      classList={{ "lg:grid-cols-[minmax(0,1fr)_18rem]": !view.many() }}
      onKeyDown={onKey}
    >
      <div class="flex min-h-[calc(100dvh-8.75rem)] min-w-0 flex-col gap-4 max-sm:-mb-12 sm:min-h-[calc(100dvh-9rem)]">
        <div class="flex flex-wrap items-center gap-2">
          <Show when={!view.many() && playground.columns()[0]}>
            {(column) => <ColumnPicker {...props} column={column()} view={view} />}
          </Show>
          <Toolbar {...props} beside={beside()} unused={view.unused()} onOpen={openSheet} />
        </div>
        <Talk {...props} view={view} />
      </div>
      <Show when={beside()}>
        <aside
          aria-label="Parameters"
          class="sticky top-20 max-h-[calc(100dvh-9rem)] self-start overflow-y-auto rounded-card border border-border p-4"
        >
          {panel()}
        </aside>
      </Show>
      <Dialog
        open={sheet() === "parameters" && !beside()}
        onOpenChange={toggle("parameters")}
        title="Parameters"
        shape="side"
      >
        {panel()}
      </Dialog>
      <Suspense>
        <CodeDialog {...props} open={sheet() === "code"} onOpenChange={toggle("code")} />
      </Suspense>
      <Suspense>
        <HistoryDialog {...props} open={sheet() === "history"} onOpenChange={toggle("history")} />
      </Suspense>
    </div>
  );
}

type View = ReturnType<typeof createView>;

/** What the parts of the page share. */
function createView(props: PlaygroundViewProps) {
  const { columns } = props.playground;
  const [choosing, setChoosing] = createSignal<string>();
  const modelOf = (id: string) => props.models.find((one) => one.id === id);
  const models = createMemo(() => columns().map(({ thread }) => modelOf(thread.model)));
  const errors = createMemo((): ParameterErrors => {
    const { parameters } = props.playground.conversation;
    const found = models().map((model) => {
      // A model without JSON mode is sent no schema.
      const json = parameters.json && can(model, "json_schema");
      return checkParameters({ ...parameters, json }, model?.maxOutputTokens ?? undefined);
    });
    return Object.assign({}, ...found);
  });
  return {
    /** The thread whose model is being chosen. */
    choosing,
    setChoosing,
    models,
    errors,
    many: () => columns().length > 1,
    unused: () => props.models.find((one) => !models().includes(one)),
  };
}

type PartProps = PlaygroundViewProps & { view: View };

function Talk(props: PartProps): JSX.Element {
  const { playground, view } = props;
  const [editing, setEditing] = createSignal<string>();
  const { columns, conversation } = playground;
  const lasts = () => columns().map(({ thread }) => thread.messages.at(-1));
  const follow = useFollow(
    () => Math.max(...conversation.threads.map(({ messages }) => messages.length)),
    () => [
      ...lasts().map((last) => [last?.text.length, last?.reasoning.length, last?.run?.ending]),
      ...lasts().map((last) => last?.run?.charge),
      ...columns().map(({ failure }) => failure()),
    ],
  );
  const editLast = () => {
    const messages = conversation.threads[0]?.messages ?? [];
    if (!view.many()) setEditing(messages.findLast(({ role }) => role === "user")?.id);
  };
  const asked = () => columns().map((column) => column.asked());
  return (
    <>
      <ColumnsGrid {...props} editing={editing()} onEdit={setEditing} />
      <Announcer playground={playground} />
      <div class="sticky bottom-14 z-10 -mx-1 flex flex-col gap-3 bg-bg px-1 pt-1 pb-2 sm:bottom-0">
        <Show when={follow.away() && hasMessages(conversation)}>
          <JumpButton onClick={follow.jump} />
        </Show>
        <Composer
          playground={playground}
          model={leastOf(view.models())}
          obstacle={
            Object.keys(view.errors()).length > 0 ? "Check the parameters first." : undefined
          }
          estimate={estimateInput(props.models, asked(), playground.draft())}
          onEditLast={editLast}
        />
      </div>
    </>
  );
}

/** Attachments go to all of them, so the most restrictive model decides. */
function leastOf(models: readonly (Model | undefined)[]): Model | undefined {
  return models.toSorted((a, b) => acceptedTypes(a).length - acceptedTypes(b).length)[0];
}

type GridProps = PartProps & {
  editing: string | undefined;
  onEdit: (id: string | undefined) => void;
};

/** On phones several columns are beside each other too, and scroll sideways. */
function ColumnsGrid(props: GridProps): JSX.Element {
  const { playground, view } = props;
  return (
    <>
      <div
        class="grid min-w-0 auto-cols-[minmax(min(100%,16rem),1fr)] grid-flow-col lg:auto-cols-[minmax(14rem,1fr)] items-start gap-4"
        classList={{
          "flex-1": view.many() || hasMessages(playground.conversation),
          "relative overflow-x-auto": view.many(),
        }}
      >
        <For each={playground.columns()}>
          {(column) => (
            <section
              aria-label={`Answers of ${nameOf(props.models, column.thread.model)}`}
              class="flex min-w-0 flex-col gap-4"
              classList={{ "rounded-card border border-border p-3": view.many() }}
            >
              <Show when={view.many()}>
                <ColumnPicker {...props} column={column} />
              </Show>
              <ColumnView
                {...props}
                column={column}
                onOtherModel={() => view.setChoosing(column.thread.id)}
              />
            </section>
          )}
        </For>
      </div>
      <Show when={!hasMessages(playground.conversation)}>
        <Examples many={view.many()} onChoose={playground.setDraft} />
      </Show>
    </>
  );
}

function ColumnPicker(props: PartProps & { column: Column }): JSX.Element {
  const { thread } = props.column;
  const name = () => nameOf(props.models, thread.model);
  return (
    <div class="flex min-w-0 items-center gap-1 max-sm:w-full">
      <div class="min-w-0 flex-1">
        <ModelPicker
          models={props.models}
          value={thread.model}
          onChange={props.column.setModel}
          open={props.view.choosing() === thread.id}
          onOpenChange={(open) => props.view.setChoosing(open ? thread.id : undefined)}
        />
      </div>
      <Show when={props.view.many()}>
        <IconButton
          label={`Remove ${name()}`}
          onClick={() => props.playground.removeThread(thread.id)}
        >
          <X class="size-4" aria-hidden="true" />
        </IconButton>
      </Show>
    </div>
  );
}

type ToolbarProps = PlaygroundViewProps & {
  /** The parameters are on the page already. */
  beside: boolean;
  /** Offered as the next column. */
  unused: Model | undefined;
  onOpen: (sheet: Sheet) => void;
};

function Toolbar(props: ToolbarProps): JSX.Element {
  const count = () => props.playground.columns().length;
  return (
    <div class="flex flex-wrap gap-1 sm:ms-auto">
      <Show when={!props.beside}>
        <Tool icon={SlidersHorizontal} onClick={() => props.onOpen("parameters")}>
          Parameters
        </Tool>
      </Show>
      <Show when={count() < columnsMax && props.unused}>
        {(model) => (
          <Tool icon={Columns} onClick={() => props.playground.add(model().id)}>
            {count() > 1 ? "Add model" : "Compare"}
          </Tool>
        )}
      </Show>
      <Tool icon={Code} onClick={() => props.onOpen("code")}>
        View code
      </Tool>
      <Tool icon={History} onClick={() => props.onOpen("history")}>
        History
      </Tool>
      <Tool icon={Plus} onClick={props.playground.startNew}>
        New chat
      </Tool>
    </div>
  );
}

/** Above the composer, while the reader has scrolled up. */
function JumpButton(props: { onClick: () => void }): JSX.Element {
  return (
    <div class="absolute inset-x-0 -top-11 flex justify-center">
      <Button
        size="small"
        class="shadow-popover"
        icon={<ArrowDown class="size-4" aria-hidden="true" />}
        onClick={props.onClick}
      >
        Jump to latest
      </Button>
    </div>
  );
}
