// One message: its text as Markdown, collapsed reasoning, tool calls, statistics, and actions.
import type { JSX } from "solid-js";
import { createSignal, Index, lazy, Show, Suspense } from "solid-js";
import { loadOnce } from "../../lib/load-once.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code-snippet.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Pencil, RotateCw, Trash } from "../../ui/icons.ts";
import { ModelMarkdown } from "../../ui/markdown/model-markdown.tsx";
import { TextArea } from "../../ui/text-field.tsx";
import { AttachmentList } from "./attachment-list.tsx";
import type { Message, ToolCall } from "./conversation.ts";
import type { Column } from "./create-column.ts";
import { EndingNotice, RunFigures } from "./run-notices.tsx";

const AnswerCheck = lazy(loadOnce(() => import("./answer-check.tsx")));

type MessageViewProps = {
  message: Message;
  column: Column;
  last: boolean;
  editing: boolean;
  onEdit: (id: string | undefined) => void;
  onOtherModel: () => void;
  nameOf: (model: string) => string;
  /** Who asked, if it was someone else: then nothing can be changed. */
  sharedBy: string | undefined;
};

export function MessageView(props: MessageViewProps): JSX.Element {
  const mine = () => props.message.role === "user";
  const running = () => props.column.running() === props.message.id;
  const author = () =>
    mine() ? (props.sharedBy ?? "You") : props.nameOf(props.message.run?.model ?? "");
  return (
    <li
      class="group/message flex min-w-0 flex-col gap-2"
      classList={{ "rounded-card bg-surface px-4 py-3": mine(), "px-4": !mine() }}
    >
      <div class="flex min-h-9 items-center justify-between gap-3">
        <h2 class="truncate text-sm font-semibold">{author()}</h2>
        <Show when={!running() && !props.editing && props.sharedBy === undefined}>
          <MessageActions {...props} />
        </Show>
      </div>
      <Show
        when={!props.editing}
        fallback={<MessageEditor {...props} onClose={() => props.onEdit(undefined)} />}
      >
        <Show
          when={!mine()}
          fallback={
            <>
              <p class="whitespace-pre-wrap wrap-break-word">{props.message.text}</p>
              <AttachmentList attachments={props.message.attachments ?? []} />
            </>
          }
        >
          <Answer {...props} running={running()} />
        </Show>
      </Show>
    </li>
  );
}

function Answer(props: MessageViewProps & { running: boolean }): JSX.Element {
  const { column } = props;
  const isEmpty = () =>
    props.message.text === "" && !props.message.reasoning && props.message.toolCalls.length === 0;
  // Until it is complete it is not JSON yet.
  const schema = () =>
    props.message.run?.ending?.kind === "complete" ? props.message.run.schema : undefined;
  const retry = () => (props.last ? () => column.regenerate(props.message.id) : undefined);
  return (
    <div class="flex min-w-0 flex-col gap-3" aria-busy={props.running}>
      <Show when={props.message.reasoning}>
        <details class="rounded-card border border-border">
          <summary class="px-4 py-2 text-sm text-muted">Thinking</summary>
          <p class="border-t border-border px-4 py-3 text-sm whitespace-pre-wrap text-muted wrap-break-word">
            {props.message.reasoning}
          </p>
        </details>
      </Show>
      <Show when={props.message.text}>
        <Show when={schema()} fallback={<ModelMarkdown text={props.message.text} />}>
          {(asked) => (
            <Suspense fallback={<ModelMarkdown text={props.message.text} />}>
              <AnswerCheck text={props.message.text} schema={asked()} />
            </Suspense>
          )}
        </Show>
      </Show>
      <Show when={props.running && isEmpty()}>
        <p class="text-muted">Waiting for the first token…</p>
      </Show>
      <Show when={!props.running && isEmpty() && props.message.run?.ending?.kind === "complete"}>
        <p class="text-muted">Empty response</p>
      </Show>
      <ToolCalls {...props} />
      <Show when={!props.running && props.message.run}>
        {(run) => (
          <>
            <EndingNotice
              run={run()}
              onContinue={
                props.last
                  ? () => void column.ask("Continue exactly where you stopped.")
                  : undefined
              }
              onRetry={retry()}
              onOtherModel={props.onOtherModel}
            />
            <RunFigures run={run()} />
          </>
        )}
      </Show>
    </div>
  );
}

function MessageActions(props: MessageViewProps): JSX.Element {
  const { column } = props;
  const quiet = "size-7! pointer-coarse:size-11!";
  return (
    <div class="-me-1.5 flex shrink-0 items-center opacity-0 transition-opacity group-focus-within/message:opacity-100 group-hover/message:opacity-100 pointer-coarse:opacity-100">
      <CopyButton text={props.message.text} label="Copy message" iconOnly />
      <IconButton label="Edit message" class={quiet} onClick={() => props.onEdit(props.message.id)}>
        <Pencil class="size-4" aria-hidden="true" />
      </IconButton>
      <Show when={props.message.role === "assistant"}>
        <IconButton
          label="Regenerate"
          class={quiet}
          onClick={() => column.regenerate(props.message.id)}
        >
          <RotateCw class="size-4" aria-hidden="true" />
        </IconButton>
      </Show>
      <IconButton
        label="Delete message"
        class={quiet}
        onClick={() => column.remove(props.message.id)}
      >
        <Trash class="size-4" aria-hidden="true" />
      </IconButton>
    </div>
  );
}

function MessageEditor(props: MessageViewProps & { onClose: () => void }): JSX.Element {
  const [text, setText] = createSignal(props.message.text);
  const save = () => {
    props.onClose();
    props.column.edit(props.message.id, text());
  };
  return (
    <form
      class="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <TextArea
        label="Message"
        value={text()}
        onInput={setText}
        rows={Math.min(12, Math.max(3, text().split("\n").length))}
        ref={(element) => queueMicrotask(() => element.focus())}
        onKeyDown={(event) => {
          if (event.key === "Escape") props.onClose();
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
        }}
      />
      <div class="flex justify-end gap-2">
        <Button size="small" onClick={props.onClose}>
          Cancel
        </Button>
        <Button size="small" variant="primary" type="submit" disabled={text().trim() === ""}>
          {props.message.role === "user" ? "Send again" : "Save"}
        </Button>
      </div>
    </form>
  );
}

/** The person enters the tool's result, which is sent with the next request. */
function ToolCalls(props: MessageViewProps & { running: boolean }): JSX.Element {
  const { column } = props;
  return (
    <Show when={props.message.toolCalls.length > 0}>
      <Index each={props.message.toolCalls}>
        {(call) => (
          <div class="overflow-hidden rounded-card border border-border">
            <p class="border-b border-border bg-surface px-4 py-2 text-sm font-medium">
              Calls {call().name}
            </p>
            <CodeBlock code={pretty(call())} language="json" label={`Calls ${call().name}`} />
            <Show when={!props.running}>
              <div class="border-t border-border p-4">
                <TextArea
                  label={`Result of ${call().name}`}
                  mono
                  rows={2}
                  readonly={props.sharedBy !== undefined}
                  value={call().result}
                  onInput={(text) => column.setResult(props.message.id, call().id, text)}
                />
              </div>
            </Show>
          </div>
        )}
      </Index>
      <Show when={!props.running && props.last}>
        <div>
          <Button size="small" onClick={() => void column.answer()}>
            Send results
          </Button>
        </div>
      </Show>
    </Show>
  );
}

function pretty(call: ToolCall): string {
  try {
    return JSON.stringify(JSON.parse(call.arguments), null, 2);
  } catch {
    return call.arguments;
  }
}
