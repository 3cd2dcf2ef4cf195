// What was drawn or spoken in a stored answer. It is shown from the memory of the page, so that no address leads to it, and as
// nothing but an image or audio, whatever it contains.
import type { JSX } from "solid-js";
import { createMemo, For, Match, Switch } from "solid-js";
import { AudioPlayer } from "../../ui/media/audio-player.tsx";
import { useObjectUrl } from "../../ui/media/use-object-url.ts";
import type { StoredPrompt } from "./use-log-detail.ts";

type Media = NonNullable<StoredPrompt["media"]>[number];

export function StoredMedia(props: { of: readonly Media[] }): JSX.Element {
  return (
    <ul aria-label="Images and audio of the answer" class="flex flex-wrap gap-3">
      <For each={props.of}>
        {(one, index) => (
          // A player has no width of its own.
          <li class="min-w-0" classList={{ "w-full": one.type.startsWith("audio/") }}>
            <OneMedia of={one} place={index() + 1} />
          </li>
        )}
      </For>
    </ul>
  );
}

function OneMedia(props: { of: Media; place: number }): JSX.Element {
  const file = createMemo(() => blobOf(props.of));
  return (
    <Switch>
      <Match when={props.of.type.startsWith("image/")}>
        <Thumbnail file={file()} alt={`Image ${props.place} of the answer`} />
      </Match>
      <Match when={props.of.type.startsWith("audio/")}>
        <AudioPlayer file={file()} label="Speech of the answer" />
      </Match>
    </Switch>
  );
}

function Thumbnail(props: { file: Blob; alt: string }): JSX.Element {
  const address = useObjectUrl(() => props.file);
  return (
    <img
      src={address()}
      alt={props.alt}
      class="max-h-48 max-w-full rounded-control border border-border object-contain"
    />
  );
}

function blobOf({ type, base64 }: Media): Blob {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return new Blob([bytes], { type });
}
