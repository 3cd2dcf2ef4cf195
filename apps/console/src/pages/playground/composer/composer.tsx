// Where a message is typed. Enter sends, Shift+Enter begins a line, Esc stops, Up in the empty field edits the last message.
import type { JSX } from "solid-js";
import { createSignal, createUniqueId, Show } from "solid-js";
import { Button } from "../../../ui/buttons/button.tsx";
import { Send, Square } from "../../../ui/icons.ts";
import { useMedia } from "../../../ui/layout/use-media.ts";
import type { Model } from "../conversation/conversation.ts";
import type { Playground } from "../create-playground.ts";
import { useDrop } from "../media/use-drop.ts";
import { AttachButton } from "./attach-button.tsx";
import { AttachmentList } from "./attachment-list.tsx";
import { acceptedTypes, addFiles } from "./attachments.ts";
import { estimateInput } from "./estimate-input.ts";

export function Composer(props: { playground: Playground }): JSX.Element {
  const id = createUniqueId();
  const { playground } = props;
  const [error, setError] = createSignal<string>();
  let field: HTMLTextAreaElement | undefined;
  const touch = useMedia("(pointer: coarse)");
  const { running } = playground;
  const model = () => leastOf(playground.chosen());
  const obstacle = () => {
    if (playground.draft().trim() === "") return "Write a message first.";
    return Object.keys(playground.errors()).length > 0 ? "Check the parameters first." : undefined;
  };
  const send = () => {
    setError(obstacle());
    if (error() !== undefined) field?.focus();
    else if (!running()) void playground.send();
  };
  const attach = async (files: readonly File[]) => {
    if (files.length === 0) return;
    const { attached, problem } = await addFiles(playground.attached(), files, model());
    playground.setAttached(attached);
    setError(problem);
    field?.focus();
  };
  const dropping = useDrop((files) => void attach(files));
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    // On a touch keyboard Enter is the only way to begin a line.
    if (event.key === "Enter" && !event.shiftKey && (!touch() || event.ctrlKey)) {
      event.preventDefault();
      send();
    } else if (event.key === "ArrowUp" && playground.draft() === "" && !running()) {
      event.preventDefault();
      const [only, second] = playground.columns();
      if (second === undefined) only?.editLast();
    }
  };
  const onPaste = (event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void attach(files);
  };
  return (
    <form
      class="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label for={id} class="sr-only">
        Your message
      </label>
      <AttachmentList
        attachments={playground.attached()}
        onRemove={(gone) =>
          playground.setAttached(playground.attached().filter((one) => one !== gone))
        }
      />
      <div class="relative flex items-end gap-2 rounded-card border border-control bg-bg p-2 focus-within:border-focus focus-within:ring-1 focus-within:ring-focus">
        <Show when={dropping()}>
          <p class="pointer-events-none absolute inset-0 z-10 grid place-items-center rounded-card bg-info-tint font-medium">
            Drop files to attach them
          </p>
        </Show>
        <AttachButton model={model()} onFiles={(files) => void attach(files)} />
        <textarea
          id={id}
          ref={(element) => {
            field = element;
          }}
          rows={2}
          // On a touch screen the keyboard would hide the page.
          autofocus={!touch()}
          placeholder="Message"
          aria-invalid={error() ? "true" : undefined}
          aria-describedby={`${id}-hint`}
          class="field-sizing-content max-h-60 min-h-9 w-full resize-none bg-transparent px-2 py-2 text-lg leading-5! outline-none pointer-coarse:min-h-11 pointer-coarse:py-3 sm:text-base"
          value={playground.draft()}
          onInput={(event) => {
            setError(undefined);
            playground.setDraft(event.currentTarget.value);
          }}
          onKeyDown={onKey}
          onPaste={onPaste}
          onBlur={() => playground.keep()}
        />
        <SendOrStop running={running()} onStop={playground.stop} />
      </div>
      <p id={`${id}-hint`} class="px-1 text-xs text-muted" role="status">
        <Show
          when={error()}
          fallback={
            <>
              <span class="max-sm:hidden pointer-coarse:hidden">
                Enter to send, Shift+Enter for a new line
              </span>
              <span class="figures float-end">{estimateOf(playground)}</span>
            </>
          }
        >
          <span class="text-sm text-danger">{error()}</span>
        </Show>
      </p>
    </form>
  );
}

/** Attachments go to all of them, so the most restrictive model decides. */
function leastOf(models: readonly (Model | undefined)[]): Model | undefined {
  return models.toSorted((a, b) => acceptedTypes(a).length - acceptedTypes(b).length)[0];
}

function estimateOf({ columns, draft, modelOf }: Playground): string | undefined {
  const offered = columns().filter(({ thread }) => modelOf(thread.model) !== undefined);
  const asked = offered.map((column) => ({ ...column.asked(), model: column.priced() }));
  return estimateInput(asked, draft());
}

/** One button, so that it keeps the focus when it turns from one into the other. */
function SendOrStop(props: { running: boolean; onStop: () => void }): JSX.Element {
  return (
    <Button
      type={props.running ? "button" : "submit"}
      variant={props.running ? "secondary" : "primary"}
      icon={
        <Show when={props.running} fallback={<Send class="size-4" aria-hidden="true" />}>
          <Square class="size-3.5 fill-current" aria-hidden="true" />
        </Show>
      }
      onClick={(event) => {
        if (!props.running) return;
        event.preventDefault();
        props.onStop();
      }}
    >
      {props.running ? "Stop" : "Send"}
    </Button>
  );
}
