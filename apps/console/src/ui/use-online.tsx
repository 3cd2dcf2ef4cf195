// Whether the browser is connected, and the one sentence that says why a change cannot be made now.
import type { JSX } from "solid-js";
import { type Accessor, createSignal, onCleanup, Show } from "solid-js";
import { t } from "../lib/texts.ts";

export function useOnline(): Accessor<boolean> {
  const [online, setOnline] = createSignal(navigator.onLine);
  const update = () => setOnline(navigator.onLine);
  addEventListener("online", update);
  addEventListener("offline", update);
  onCleanup(() => {
    removeEventListener("online", update);
    removeEventListener("offline", update);
  });
  return online;
}

/** Stands beside what is switched off, unless the page's banner says it; nothing while connected. */
export function OfflineNote(props: { class?: string }): JSX.Element {
  const online = useOnline();
  return (
    <p
      role="status"
      class={`text-sm text-warning empty:hidden in-data-banners:hidden ${props.class ?? ""}`}
    >
      <Show when={!online()}>{t("state.offline")}</Show>
    </p>
  );
}
