// One column: its messages, and why its last request failed.
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import type { Model } from "./conversation.ts";
import type { Column } from "./create-column.ts";
import { MessageView } from "./message-view.tsx";
import { FailureNotice } from "./run-notices.tsx";

type ColumnViewProps = {
  column: Column;
  models: readonly Model[];
  editing: string | undefined;
  onEdit: (id: string | undefined) => void;
  onOtherModel: () => void;
  /** It is read-only, and these questions are not of the reader. */
  sharedBy?: string;
};

export function ColumnView(props: ColumnViewProps): JSX.Element {
  const { column } = props;
  const messages = () => column.thread.messages;
  return (
    <>
      <Show when={messages().length > 0}>
        <ol aria-label="Conversation" class="flex min-w-0 flex-1 flex-col gap-5">
          <For each={messages()}>
            {(message, index) => (
              <MessageView
                message={message}
                column={column}
                last={index() === messages().length - 1 && props.sharedBy === undefined}
                sharedBy={props.sharedBy}
                editing={props.editing === message.id}
                onEdit={props.onEdit}
                onOtherModel={props.onOtherModel}
                nameOf={(id) => nameOf(props.models, id)}
              />
            )}
          </For>
        </ol>
      </Show>
      <Show when={column.failure()}>
        {(failure) => (
          <FailureNotice
            failure={failure()}
            partial={false}
            onRetry={messages().at(-1)?.role === "user" ? () => void column.answer() : undefined}
            onOtherModel={props.onOtherModel}
          />
        )}
      </Show>
    </>
  );
}

export function nameOf(models: readonly Model[], id: string): string {
  return models.find((model) => model.id === id)?.name ?? id;
}
