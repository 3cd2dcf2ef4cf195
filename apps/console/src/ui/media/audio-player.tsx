// Plays a file that exists only in the page, or says that this browser cannot.
import type { JSX } from "solid-js";
import { createEffect, createSignal, on, Show } from "solid-js";
import { useObjectUrl } from "./use-object-url.ts";

export function AudioPlayer(props: { file: Blob; label: string }): JSX.Element {
  const address = useObjectUrl(() => props.file);
  const [fails, setFails] = createSignal(false);
  createEffect(on(address, () => setFails(false)));
  return (
    <Show
      when={!fails()}
      fallback={<p class="text-sm text-muted">This browser cannot play this format.</p>}
    >
      {/* biome-ignore lint/a11y/useMediaCaption: nobody has written captions for what was just made */}
      <audio
        controls
        src={address()}
        aria-label={props.label}
        class="w-full max-w-xl"
        onError={() => setFails(true)}
      />
    </Show>
  );
}
