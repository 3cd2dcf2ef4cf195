// Whether the browser is online, and the one sentence that explains why changes are disabled.
import type { JSX } from "solid-js";
import { type Accessor, createSignal, onCleanup, Show } from "solid-js";

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

/** Shown beside disabled controls, unless the page's banner says so; nothing while online. */
export function OfflineNote(props: { class?: string }): JSX.Element {
  const online = useOnline();
  return (
    <p
      role="status"
      class={`text-sm text-warning empty:hidden in-data-banners:hidden ${props.class ?? ""}`}
    >
      <Show when={!online()}>You're offline. Changes are disabled.</Show>
    </p>
  );
}
