// The messages of a column: text as Markdown, collapsed reasoning, tool calls, statistics, and actions; and why its last
// request failed.
import type { JSX } from "solid-js";
import { createSignal, For, Index, lazy, Match, Show, Suspense, Switch } from "solid-js";
import { loadOnce } from "../../../lib/load-once.ts";
import { Button, IconButton } from "../../../ui/buttons/button.tsx";
import { CopyButton } from "../../../ui/buttons/copy-button.tsx";
import { CodeBlock } from "../../../ui/code/code-snippet.tsx";
import { TextArea } from "../../../ui/forms/text-field.tsx";
import { Pencil, RotateCw, Trash } from "../../../ui/icons.ts";
import { ModelMarkdown } from "../../../ui/markdown/model-markdown.tsx";
import type { ShownColumn } from "../columns/create-column.ts";
import { AttachmentList } from "../composer/attachment-list.tsx";
import { isEmpty, type Message, type ToolCall } from "../conversation/conversation.ts";
import { EndingNotice, FailureNotice, RunFigures } from "./run-notices.tsx";

const AnswerCheck = lazy(loadOnce(() => import("./answer-check.tsx")));

type MessagesProps = {
  column: ShownColumn;
  nameOf: (model: string) => string;
  /** Who asked, if it was someone else: then nothing can be changed. */
  sharedBy: string | undefined;
};

type MessageProps = MessagesProps & { message: Message };

export default function Messages(props: MessagesProps): JSX.Element {
  const { column } = props;
  const messages = () => column.thread.messages;
  return (
    <>
      <Show when={messages().length > 0}>
        <ol aria-label="Conversation" class="flex min-w-0 flex-1 flex-col gap-5">
          <For each={messages()}>{(message) => <MessageItem {...props} message={message} />}</For>
        </ol>
      </Show>
      <Show when={column.failure?.()}>
        {(failure) => (
          <FailureNotice
            failure={failure()}
            partial={false}
            onRetry={messages().at(-1)?.role === "user" ? () => void column.answer?.() : undefined}
            onOtherModel={column.chooseModel}
            onAnyProvider={column.useAnyProvider}
          />
        )}
      </Show>
    </>
  );
}

function MessageItem(props: MessageProps): JSX.Element {
  const { column } = props;
  const mine = () => props.message.role === "user";
  const running = () => column.running?.() === props.message.id;
  const editing = () => column.editing?.() === props.message.id;
  const author = () =>
    mine() ? (props.sharedBy ?? "You") : props.nameOf(props.message.run?.model ?? "");
  return (
    <li
      class="group/message flex min-w-0 flex-col gap-2"
      classList={{ "rounded-card bg-surface px-4 py-3": mine(), "px-4": !mine() }}
    >
      <h2 class="truncate text-sm font-semibold">{author()}</h2>
      <Switch fallback={<Answer {...props} running={running()} />}>
        <Match when={editing()}>
          <MessageEditor {...props} />
        </Match>
        <Match when={mine()}>
          <p class="whitespace-pre-wrap wrap-break-word">{props.message.text}</p>
          <AttachmentList attachments={props.message.attachments} />
        </Match>
      </Switch>
      <Show when={!running() && !editing() && props.sharedBy === undefined}>
        <MessageActions {...props} />
      </Show>
    </li>
  );
}

function Answer(props: MessageProps & { running: boolean }): JSX.Element {
  const { column } = props;
  const last = () =>
    props.sharedBy === undefined && column.thread.messages.at(-1)?.id === props.message.id;
  const complete = () => props.message.run?.ending?.kind === "complete";
  const waiting = () =>
    props.running ? "Waiting for the first token…" : complete() && "Empty response";
  // Until it is complete it is not JSON yet.
  const schema = () => (complete() ? props.message.run?.schema : undefined);
  const onlyLast = (act: () => void) => (last() ? act : undefined);
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
      <Show when={isEmpty(props.message) && waiting()}>
        {(text) => <p class="text-muted">{text()}</p>}
      </Show>
      <ToolCalls {...props} last={last()} />
      <Show when={!props.running && props.message.run}>
        {(run) => (
          <>
            <EndingNotice
              run={run()}
              onContinue={onlyLast(() => void column.ask?.("Continue exactly where you stopped."))}
              onRetry={onlyLast(() => column.regenerate?.(props.message.id))}
              onOtherModel={column.chooseModel}
            />
            <RunFigures run={run()} />
          </>
        )}
      </Show>
    </div>
  );
}

function MessageActions(props: MessageProps): JSX.Element {
  const { column } = props;
  const quiet = "size-7! pointer-coarse:size-11!";
  return (
    <div class="-ms-1.5 flex items-center opacity-0 transition-opacity group-focus-within/message:opacity-100 group-hover/message:opacity-100 pointer-coarse:opacity-100">
      <CopyButton text={props.message.text} label="Copy message" iconOnly />
      <IconButton
        label="Edit message"
        class={quiet}
        onClick={() => column.setEditing?.(props.message.id)}
      >
        <Pencil class="size-4" aria-hidden="true" />
      </IconButton>
      <Show when={props.message.role === "assistant"}>
        <IconButton
          label="Regenerate"
          class={quiet}
          onClick={() => column.regenerate?.(props.message.id)}
        >
          <RotateCw class="size-4" aria-hidden="true" />
        </IconButton>
      </Show>
      <IconButton
        label="Delete message"
        class={quiet}
        onClick={() => column.remove?.(props.message.id)}
      >
        <Trash class="size-4" aria-hidden="true" />
      </IconButton>
    </div>
  );
}

function MessageEditor(props: MessageProps): JSX.Element {
  const [text, setText] = createSignal(props.message.text);
  const close = () => props.column.setEditing?.(undefined);
  const save = () => {
    close();
    props.column.edit?.(props.message.id, text());
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
          if (event.key === "Escape") close();
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
        }}
      />
      <div class="flex justify-end gap-2">
        <Button size="small" onClick={close}>
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
function ToolCalls(props: MessageProps & { running: boolean; last: boolean }): JSX.Element {
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
                  onInput={(text) => column.setResult?.(props.message.id, call().id, text)}
                />
              </div>
            </Show>
          </div>
        )}
      </Index>
      <Show when={!props.running && props.last}>
        <div>
          <Button size="small" onClick={() => void column.answer?.()}>
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
