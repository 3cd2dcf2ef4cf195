// Toasts confirm what is not already visible: polite, at most three, six seconds, waiting while the
// pointer or the focus is on them. Never the only place of an error or a secret.
import type { JSX, ParentProps } from "solid-js";
import { createContext, createSignal, For, onCleanup, Show, useContext } from "solid-js";
import { t } from "../lib/texts.ts";
import { CircleCheck, X } from "./icons.ts";

type Toast = {
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void };
  /** 6 s; 8 s for an offer to undo. */
  readonly lastsMs?: number;
};
type Shown = Toast & { readonly id: number };

const maxToasts = 3;
const ToastContext = createContext<(toast: Toast | string) => void>();

/** `toast("Saved")`, or with an action: `toast({ text, action: { label: "Undo", run } })`. */
export function useToast(): (toast: Toast | string) => void {
  const toast = useContext(ToastContext);
  if (!toast) throw new Error("useToast needs a ToastProvider above it");
  return toast;
}

export function ToastProvider(props: ParentProps): JSX.Element {
  const [shown, setShown] = createSignal<readonly Shown[]>([]);
  let lastId = 0;
  const drop = (id: number) => setShown((all) => all.filter((toast) => toast.id !== id));
  const add = (toast: Toast | string) => {
    lastId += 1;
    const entry = { ...(typeof toast === "string" ? { text: toast } : toast), id: lastId };
    setShown((all) => [...all, entry].slice(-maxToasts));
  };
  return (
    <ToastContext.Provider value={add}>
      {props.children}
      <section
        aria-label={t("state.notifications")}
        aria-live="polite"
        class="pointer-events-none fixed inset-x-4 bottom-20 z-[70] flex flex-col items-center gap-2 sm:inset-x-auto sm:end-6 sm:bottom-6 sm:items-end"
      >
        <For each={shown()}>
          {(toast) => <ToastCard toast={toast} drop={() => drop(toast.id)} />}
        </For>
      </section>
    </ToastContext.Provider>
  );
}

function ToastCard(props: { toast: Shown; drop: () => void }): JSX.Element {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pause = () => clearTimeout(timer);
  const resume = () => {
    pause();
    timer = setTimeout(props.drop, props.toast.lastsMs ?? (props.toast.action ? 8_000 : 6_000));
  };
  resume();
  onCleanup(pause);
  return (
    <div
      class="pointer-events-auto flex max-w-md animate-rise items-center gap-3 rounded-card border border-border bg-raised py-2 ps-4 pe-2 shadow-popover"
      onPointerEnter={pause}
      onPointerLeave={resume}
      onFocusIn={pause}
      onFocusOut={resume}
    >
      <CircleCheck class="size-4 shrink-0 text-success" aria-hidden="true" />
      <p>{props.toast.text}</p>
      <Show when={props.toast.action}>
        {(action) => (
          <button
            type="button"
            class="min-h-8 rounded-control px-2 font-medium text-link hover:underline"
            onClick={() => {
              action().run();
              props.drop();
            }}
          >
            {action().label}
          </button>
        )}
      </Show>
      <button
        type="button"
        aria-label={t("action.dismiss")}
        class="inline-flex size-8 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-text"
        onClick={() => props.drop()}
      >
        <X class="size-4" aria-hidden="true" />
      </button>
    </div>
  );
}
