// Where a message is typed. Ctrl+Enter sends, Esc stops, Up in the empty field edits the last message.
import type { JSX } from "solid-js";
import { createSignal, createUniqueId, Show } from "solid-js";
import { Button } from "../ui/button.tsx";
import { Send, Square } from "../ui/icons.ts";
import type { Playground } from "./create-playground.ts";
import { t } from "./texts.ts";

type ComposerProps = {
  playground: Playground;
  /** Why nothing can be sent now; said when somebody tries. */
  obstacle: string | undefined;
  onEditLast: () => void;
};

export function Composer(props: ComposerProps): JSX.Element {
  const id = createUniqueId();
  const { playground } = props;
  const [error, setError] = createSignal<string>();
  let field: HTMLTextAreaElement | undefined;
  const running = () => playground.running() !== undefined;
  const send = () => {
    const obstacle = playground.draft().trim() === "" ? t("composer.missing") : props.obstacle;
    setError(obstacle);
    if (obstacle !== undefined) field?.focus();
    else if (!running()) playground.send();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    } else if (event.key === "ArrowUp" && playground.draft() === "" && !running()) {
      event.preventDefault();
      props.onEditLast();
    }
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
        {t("composer.label")}
      </label>
      <div class="flex items-end gap-2 rounded-card border border-control bg-bg p-2 focus-within:border-focus focus-within:ring-1 focus-within:ring-focus">
        <textarea
          id={id}
          ref={(element) => {
            field = element;
          }}
          rows={2}
          placeholder={t("composer.placeholder")}
          aria-invalid={error() ? "true" : undefined}
          aria-describedby={`${id}-hint`}
          class="field-sizing-content max-h-60 min-h-11 w-full resize-none bg-transparent px-2 py-1 text-lg outline-none sm:text-base"
          value={playground.draft()}
          onInput={(event) => {
            setError(undefined);
            playground.setDraft(event.currentTarget.value);
          }}
          onKeyDown={onKey}
          onBlur={() => playground.keep()}
        />
        <Show
          when={running()}
          fallback={
            <Button
              type="submit"
              variant="primary"
              icon={<Send class="size-4" aria-hidden="true" />}
            >
              {t("composer.send")}
            </Button>
          }
        >
          <Button
            icon={<Square class="size-3.5 fill-current" aria-hidden="true" />}
            onClick={playground.stop}
          >
            {t("composer.stop")}
          </Button>
        </Show>
      </div>
      <p id={`${id}-hint`} class="px-1 text-xs text-muted" role="status">
        <Show
          when={error()}
          fallback={<span class="max-sm:hidden pointer-coarse:hidden">{t("composer.hint")}</span>}
        >
          <span class="text-sm text-danger">{error()}</span>
        </Show>
      </p>
    </form>
  );
}
