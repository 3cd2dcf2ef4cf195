// Copies a text and confirms it for two seconds. If the clipboard is blocked, it selects the given
// element and names the keys to press.
import type { JSX } from "solid-js";
import { createSignal, For, onCleanup, Show } from "solid-js";
import { Check, Copy } from "../icons.ts";
import { buttonClass } from "./button.tsx";

type CopyButtonProps = {
  text: string;
  /** "Copy key"; just "Copy" otherwise. */
  label?: string | undefined;
  iconOnly?: boolean | undefined;
  variant?: "primary" | "secondary" | "ghost" | undefined;
  size?: "medium" | "small" | undefined;
  /** Selected when the clipboard is blocked. */
  source?: (() => HTMLElement | undefined) | undefined;
  onCopied?: (() => void) | undefined;
  ref?: ((element: HTMLButtonElement) => void) | undefined;
};

/** Bubbles from the button that copied a text, for what is around it: `on:copied`. */
export type CopiedEvent = CustomEvent<string>;

const shownMs = 2_000;

export function CopyButton(props: CopyButtonProps): JSX.Element {
  const [result, setResult] = createSignal<"copied" | "blocked">();
  let timer: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(timer));
  let button: HTMLButtonElement | undefined;
  const copy = async () => {
    const { text } = props;
    const copied = await writeClipboard(text);
    if (copied) {
      props.onCopied?.();
      button?.dispatchEvent(new CustomEvent("copied", { bubbles: true, detail: text }));
    } else select(props.source?.());
    setResult(copied ? "copied" : "blocked");
    clearTimeout(timer);
    timer = setTimeout(() => setResult(undefined), shownMs);
  };
  const label = () => props.label ?? "Copy";
  const shown = () => {
    if (result() === "copied") return "Copied";
    return result() === "blocked" ? "Press Ctrl+C to copy" : label();
  };
  const look = () =>
    props.iconOnly
      ? "inline-flex size-7 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-text pointer-coarse:size-11"
      : buttonClass({ variant: props.variant, size: props.size ?? "small" });
  return (
    <button
      type="button"
      ref={(element) => {
        button = element;
        props.ref?.(element);
      }}
      class={look()}
      classList={{ "bg-success-tint!": result() === "copied" && props.iconOnly === true }}
      data-copied={result() === "copied" ? "" : undefined}
      aria-label={props.iconOnly ? shown() : undefined}
      onClick={() => void copy()}
    >
      <Show
        when={result() === "copied"}
        fallback={<Copy class="size-4 shrink-0" aria-hidden="true" />}
      >
        <Check
          class="size-4 shrink-0"
          classList={{ "text-success": props.variant !== "primary" }}
          strokeWidth={2.5}
          aria-hidden="true"
        />
      </Show>
      <Show when={!props.iconOnly}>
        {/* As wide as the longer of its two usual texts, so that nothing beside it moves. */}
        <span class="grid text-start">
          <For each={[label(), "Copied"]}>
            {(text) => (
              <span aria-hidden="true" class="invisible col-start-1 row-start-1">
                {text}
              </span>
            )}
          </For>
          <span class="col-start-1 row-start-1">{shown()}</span>
        </span>
      </Show>
      <span class="sr-only" aria-live="polite">
        {result() === undefined ? "" : shown()}
      </span>
    </button>
  );
}

async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function select(element: HTMLElement | undefined): void {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    element.focus();
    element.select();
    return;
  }
  if (element) getSelection()?.selectAllChildren(element);
}
