// One conversation: its messages, their announcements, and the composer below.
import type { JSX } from "solid-js";
import { createMemo, createSignal, For, Show } from "solid-js";
import { plural } from "../../lib/plural.ts";
import { Button } from "../../ui/button.tsx";
import { ArrowDown } from "../../ui/icons.ts";
import { Composer } from "./composer.tsx";
import type { Model } from "./conversation.ts";
import type { Playground } from "./create-playground.ts";
import { estimateInput } from "./estimate-input.ts";
import { MessageView } from "./message-view.tsx";
import { FailureNotice } from "./run-notices.tsx";
import { useFollow } from "./use-follow.ts";

type ConversationViewProps = {
  playground: Playground;
  models: readonly Model[];
  /** Why nothing can be sent now. */
  obstacle: string | undefined;
  onOtherModel: () => void;
};

export function ConversationView(props: ConversationViewProps): JSX.Element {
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
  return (
    <>
      <Show
        when={messages().length > 0}
        fallback={<Examples onChoose={(text) => playground.setDraft(text)} />}
      >
        <MessageList {...props} editing={editing()} onEdit={setEditing} />
      </Show>
      <Announcer playground={playground} />
      <div class="sticky bottom-14 z-10 -mx-1 flex flex-col gap-3 bg-bg px-1 pt-1 pb-2 sm:bottom-0">
        <Show when={follow.away() && messages().length > 0}>
          <JumpButton onClick={follow.jump} />
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
        <Composer
          playground={playground}
          model={props.models.find(({ id }) => id === playground.conversation.model)}
          obstacle={props.obstacle}
          estimate={estimateInput(props.models, [playground.conversation], playground.draft())}
          onEditLast={editLast}
        />
      </div>
    </>
  );
}

const examples = [
  "Explain prepaid billing in two sentences.",
  "Write a haiku about the sea.",
  "Show a small Python function with a test.",
];

type ExamplesProps = { lead?: string; onChoose: (text: string) => void };

export function Examples(props: ExamplesProps): JSX.Element {
  return (
    <div class="flex flex-1 flex-col items-center justify-center gap-5 py-10 text-center">
      <div>
        <p class="text-lg">{props.lead ?? "Send a message to start."}</p>
        <p class="mt-1 text-sm text-muted">Uses your balance. No API key needed.</p>
      </div>
      <ul class="flex max-w-lg flex-col gap-2">
        <For each={examples}>
          {(example) => (
            <li>
              <Button wide onClick={() => props.onChoose(example)}>
                <span class="truncate">{example}</span>
              </Button>
            </li>
          )}
        </For>
      </ul>
    </div>
  );
}

/** Only the start and the end are announced, not every token. */
function Announcer(props: { playground: Playground }): JSX.Element {
  const said = createMemo<string>((before) => {
    const { conversation, running, failure } = props.playground;
    if (running() !== undefined) return "Generating…";
    const run = conversation.messages.at(-1)?.run;
    if (before === "" || failure()) return "";
    if (run?.ending?.kind === "stopped") return "Response stopped.";
    if (run?.ending?.kind === "failed") return "Response failed.";
    return plural(
      run?.usage?.completionTokens ?? 0,
      `Response finished, ${run?.usage?.completionTokens ?? 0} token`,
      `Response finished, ${run?.usage?.completionTokens ?? 0} tokens`,
    );
  }, "");
  return (
    <p class="sr-only" role="status">
      {said()}
    </p>
  );
}

function nameOf(models: readonly Model[], id: string): string {
  return models.find((model) => model.id === id)?.name ?? id;
}

type MessageListProps = {
  playground: Playground;
  models: readonly Model[];
  editing: string | undefined;
  onEdit: (id: string | undefined) => void;
  onOtherModel: () => void;
};

export function MessageList(props: MessageListProps): JSX.Element {
  const messages = () => props.playground.conversation.messages;
  return (
    <ol aria-label="Conversation" class="flex min-w-0 flex-1 flex-col gap-5">
      <For each={messages()}>
        {(message, index) => (
          <MessageView
            message={message}
            playground={props.playground}
            last={index() === messages().length - 1}
            editing={props.editing === message.id}
            onEdit={props.onEdit}
            onOtherModel={props.onOtherModel}
            nameOf={(id) => nameOf(props.models, id)}
          />
        )}
      </For>
    </ol>
  );
}

/** Above the composer, while the reader has scrolled up. */
export function JumpButton(props: { onClick: () => void }): JSX.Element {
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
