// The Playground on the page: the model and the tools at the top, the conversation, the composer at
// the bottom, the parameters beside it or in a sheet.
import type { JSX } from "solid-js";
import { createMemo, createSignal, For, Show } from "solid-js";
import { useConfig } from "../session.ts";
import { Button } from "../ui/button.tsx";
import { CodeSnippet } from "../ui/code-snippet.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ArrowDown, Code, History, Plus, SlidersHorizontal } from "../ui/icons.ts";
import { useMedia } from "../ui/use-media.ts";
import { checkParameters } from "./check-parameters.ts";
import { Composer } from "./composer.tsx";
import { type Model, newMessage, requestOf } from "./conversation.ts";
import type { Playground } from "./create-playground.ts";
import { HistoryDialog } from "./history-dialog.tsx";
import { MessageView } from "./message-view.tsx";
import { ModelPicker } from "./model-picker.tsx";
import { ParametersPanel } from "./parameters-panel.tsx";
import { requestSnippets } from "./request-snippets.ts";
import { FailureNotice } from "./run-notices.tsx";
import { t } from "./texts.ts";
import { useFollow } from "./use-follow.ts";

type ChatViewProps = { playground: Playground; models: readonly Model[] };
type Sheet = "models" | "parameters" | "code" | "history";

export function ChatView(props: ChatViewProps): JSX.Element {
  const { playground } = props;
  const wide = useMedia("(width >= 64rem)");
  const [sheet, setSheet] = createSignal<Sheet>();
  const model = () => props.models.find((one) => one.id === playground.conversation.model);
  const errors = createMemo(() =>
    checkParameters(playground.conversation.parameters, model()?.maxOutputTokens),
  );
  const obstacle = () =>
    Object.keys(errors()).length > 0 ? t("composer.wrongParameters") : undefined;
  const panel = () => <ParametersPanel playground={playground} model={model()} errors={errors()} />;
  const toggle = (name: Sheet) => (open: boolean) => setSheet(open ? name : undefined);
  // Esc stops the answer, unless a dialog has a better use for it.
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
          <Toolbar playground={playground} wide={wide()} onOpen={setSheet} />
        </div>
        <ConversationView
          {...props}
          obstacle={obstacle()}
          onOtherModel={() => setSheet("models")}
        />
      </div>
      <Show when={wide()}>
        <aside
          aria-label={t("page.parameters")}
          class="sticky top-20 max-h-[calc(100dvh-9rem)] self-start overflow-y-auto rounded-card border border-border p-4"
        >
          {panel()}
        </aside>
      </Show>
      <Dialog
        open={sheet() === "parameters" && !wide()}
        onOpenChange={toggle("parameters")}
        title={t("page.parameters")}
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

type ToolbarProps = { playground: Playground; wide: boolean; onOpen: (sheet: Sheet) => void };

function Toolbar(props: ToolbarProps): JSX.Element {
  return (
    <div class="flex flex-wrap gap-1 sm:ms-auto">
      <Show when={!props.wide}>
        <Button
          variant="ghost"
          size="small"
          class="max-sm:px-2"
          icon={<SlidersHorizontal class="size-4 max-sm:hidden" aria-hidden="true" />}
          onClick={() => props.onOpen("parameters")}
        >
          {t("page.parameters")}
        </Button>
      </Show>
      <Button
        variant="ghost"
        size="small"
        class="max-sm:px-2"
        icon={<Code class="size-4 max-sm:hidden" aria-hidden="true" />}
        onClick={() => props.onOpen("code")}
      >
        {t("page.viewCode")}
      </Button>
      <Button
        variant="ghost"
        size="small"
        class="max-sm:px-2"
        icon={<History class="size-4 max-sm:hidden" aria-hidden="true" />}
        onClick={() => props.onOpen("history")}
      >
        {t("page.history")}
      </Button>
      <Button
        variant="ghost"
        size="small"
        class="max-sm:px-2"
        icon={<Plus class="size-4 max-sm:hidden" aria-hidden="true" />}
        onClick={props.playground.startNew}
      >
        {t("page.newChat")}
      </Button>
    </div>
  );
}

type ConversationViewProps = ChatViewProps & {
  obstacle: string | undefined;
  onOtherModel: () => void;
};

function ConversationView(props: ConversationViewProps): JSX.Element {
  const { playground } = props;
  const [editing, setEditing] = createSignal<string>();
  const messages = () => playground.conversation.messages;
  const follow = useFollow(
    () => messages().length,
    () => {
      const last = messages().at(-1);
      return [last?.text.length, last?.reasoning.length, last?.run?.ending, last?.run?.charge];
    },
  );
  const editLast = () => setEditing(messages().findLast(({ role }) => role === "user")?.id);
  const nameOf = (id: string) => props.models.find((model) => model.id === id)?.name ?? id;
  return (
    <>
      <Show when={messages().length > 0} fallback={<Examples playground={playground} />}>
        <ol aria-label={t("page.conversation")} class="flex min-w-0 flex-1 flex-col gap-5">
          <For each={messages()}>
            {(message, index) => (
              <MessageView
                message={message}
                playground={playground}
                last={index() === messages().length - 1}
                editing={editing() === message.id}
                onEdit={setEditing}
                onOtherModel={props.onOtherModel}
                nameOf={nameOf}
              />
            )}
          </For>
        </ol>
      </Show>
      <Announcer playground={playground} nameOf={nameOf} />
      <div class="sticky bottom-14 z-10 -mx-1 flex flex-col gap-3 bg-bg px-1 pt-1 pb-2 sm:bottom-0">
        <Show when={follow.away() && messages().length > 0}>
          <div class="absolute inset-x-0 -top-11 flex justify-center">
            <Button
              size="small"
              class="shadow-popover"
              icon={<ArrowDown class="size-4" aria-hidden="true" />}
              onClick={follow.jump}
            >
              {t("page.jump")}
            </Button>
          </div>
        </Show>
        <Show when={playground.failure()}>
          {(failure) => (
            <FailureNotice
              failure={failure()}
              partial={false}
              onRetry={
                messages().at(-1)?.role === "user" ? () => void playground.answer() : undefined
              }
              onOtherModel={props.onOtherModel}
            />
          )}
        </Show>
        <Composer playground={playground} obstacle={props.obstacle} onEditLast={editLast} />
      </div>
    </>
  );
}

const examples = ["page.example1", "page.example2", "page.example3"] as const;

function Examples(props: { playground: Playground }): JSX.Element {
  return (
    <div class="flex flex-1 flex-col items-center justify-center gap-5 py-10 text-center">
      <div>
        <p class="text-lg">{t("page.empty")}</p>
        <p class="mt-1 text-sm text-muted">{t("page.description")}</p>
      </div>
      <ul class="flex max-w-lg flex-col gap-2">
        <For each={examples}>
          {(key) => (
            <li>
              <Button wide onClick={() => props.playground.setDraft(t(key))}>
                <span class="truncate">{t(key)}</span>
              </Button>
            </li>
          )}
        </For>
      </ul>
    </div>
  );
}

/** Only the start and the end are spoken: the text itself would never stop. */
function Announcer(props: {
  playground: Playground;
  nameOf: (model: string) => string;
}): JSX.Element {
  const said = createMemo<string>((before) => {
    const { conversation, running, failure } = props.playground;
    if (running() !== undefined)
      return t("message.started", { model: props.nameOf(conversation.model) });
    const run = conversation.messages.at(-1)?.run;
    if (before === "" || failure()) return "";
    if (run?.ending?.kind === "stopped") return t("message.stopped");
    if (run?.ending?.kind === "failed") return t("message.failed");
    return t("message.finished", { count: run?.usage?.completionTokens ?? 0 });
  }, "");
  return (
    <p class="sr-only" role="status">
      {said()}
    </p>
  );
}

function CodeDialog(
  props: ChatViewProps & { open: boolean; onOpenChange: (open: boolean) => void },
): JSX.Element {
  const config = useConfig();
  const snippets = createMemo(() => {
    if (!config.isSuccess || !props.open) return [];
    const { conversation, draft } = props.playground;
    const typed = draft().trim() === "" ? [] : [newMessage("user", draft().trim())];
    const messages = [...conversation.messages, ...typed];
    const asked = messages.length > 0 ? messages : [newMessage("user", t("page.example1"))];
    const model = props.models.find((one) => one.id === conversation.model);
    return requestSnippets(
      config.data.apiBaseUrl,
      requestOf({ ...conversation, messages: asked }, model),
    );
  });
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title={t("page.viewCode")}
      description={t("page.codeNote")}
      shape="wide"
    >
      <CodeSnippet snippets={snippets()} />
    </Dialog>
  );
}
