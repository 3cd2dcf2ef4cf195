// The Playground on the page: the model and the tools at the top, the conversation, the composer at
// the bottom, the parameters beside it or in a sheet.
import type { JSX } from "solid-js";
import { createMemo, createSignal, Show } from "solid-js";
import { Dialog } from "../../ui/dialog.tsx";
import { Code, Columns, History, Plus, SlidersHorizontal } from "../../ui/icons.ts";
import { useMedia } from "../../ui/use-media.ts";
import { checkParameters } from "./check-parameters.ts";
import { CodeDialog } from "./code-dialog.tsx";
import type { Model } from "./conversation.ts";
import { ConversationView } from "./conversation-view.tsx";
import type { Playground } from "./create-playground.ts";
import { HistoryDialog } from "./history-dialog.tsx";
import { ModelPicker } from "./model-picker.tsx";
import { ParametersPanel } from "./parameters-panel.tsx";
import { Tool } from "./tool.tsx";

type ChatViewProps = {
  playground: Playground;
  models: readonly Model[];
  /** Undefined if there is no other model to compare with. */
  onCompare?: (() => void) | undefined;
};
type Sheet = "models" | "parameters" | "code" | "history";

export function ChatView(props: ChatViewProps): JSX.Element {
  const { playground } = props;
  const wide = useMedia("(width >= 64rem)");
  const [sheet, setSheet] = createSignal<Sheet>();
  const model = () => props.models.find((one) => one.id === playground.conversation.model);
  const errors = createMemo(() =>
    checkParameters(playground.conversation.parameters, model()?.maxOutputTokens ?? undefined),
  );
  const obstacle = () =>
    Object.keys(errors()).length > 0 ? "Check the parameters first." : undefined;
  const panel = () => <ParametersPanel playground={playground} model={model()} errors={errors()} />;
  const toggle = (name: Sheet) => (open: boolean) => setSheet(open ? name : undefined);
  // Esc stops the answer, unless a dialog handles it.
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape" && sheet() === undefined) playground.stop();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key works wherever the focus is in here
    <div class="grid gap-6 lg:grid-cols-[minmax(0,1fr)_18rem]" onKeyDown={onKey}>
      <div class="flex min-h-[calc(100dvh-8.75rem)] min-w-0 flex-col gap-4 max-sm:-mb-12 sm:min-h-[calc(100dvh-9rem)]">
        <div class="flex flex-wrap items-center gap-2">
          <ModelPicker
            models={props.models}
            value={playground.conversation.model}
            onChange={playground.setModel}
            open={sheet() === "models"}
            onOpenChange={toggle("models")}
          />
          <Toolbar
            playground={playground}
            wide={wide()}
            onOpen={setSheet}
            onCompare={props.onCompare}
          />
        </div>
        <ConversationView
          {...props}
          obstacle={obstacle()}
          onOtherModel={() => setSheet("models")}
        />
      </div>
      <Show when={wide()}>
        <aside
          aria-label="Parameters"
          class="sticky top-20 max-h-[calc(100dvh-9rem)] self-start overflow-y-auto rounded-card border border-border p-4"
        >
          {panel()}
        </aside>
      </Show>
      <Dialog
        open={sheet() === "parameters" && !wide()}
        onOpenChange={toggle("parameters")}
        title="Parameters"
        shape="side"
      >
        {panel()}
      </Dialog>
      <CodeDialog {...props} open={sheet() === "code"} onOpenChange={toggle("code")} />
      <HistoryDialog
        playground={playground}
        open={sheet() === "history"}
        onOpenChange={toggle("history")}
      />
    </div>
  );
}

type ToolbarProps = {
  playground: Playground;
  wide: boolean;
  onOpen: (sheet: Sheet) => void;
  onCompare: (() => void) | undefined;
};

function Toolbar(props: ToolbarProps): JSX.Element {
  return (
    <div class="flex flex-wrap gap-1 sm:ms-auto">
      <Show when={!props.wide}>
        <Tool icon={SlidersHorizontal} onClick={() => props.onOpen("parameters")}>
          Parameters
        </Tool>
      </Show>
      <Show when={props.wide && props.onCompare}>
        {(compare) => (
          <Tool icon={Columns} onClick={() => compare()()}>
            Compare
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
