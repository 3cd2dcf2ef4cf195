// The attachments of a message: images as images, everything else by name.
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { IconButton } from "../../../ui/buttons/button.tsx";
import { FileText, X } from "../../../ui/icons.ts";
import type { Attachment } from "./attachments.ts";

type AttachmentListProps = {
  attachments: readonly Attachment[];
  /** If given, each can be removed. */
  onRemove?: (attachment: Attachment) => void;
};

export function AttachmentList(props: AttachmentListProps): JSX.Element {
  return (
    <Show when={props.attachments.length > 0}>
      <ul aria-label="Attachments" class="flex flex-wrap gap-2">
        <For each={props.attachments}>
          {(one) => (
            <li class="flex min-w-0 items-center gap-1 rounded-control border border-border bg-bg">
              <Show
                when={one.mimeType.startsWith("image/") && one.dataUrl}
                fallback={<NamedFile of={one} />}
              >
                {(source) => (
                  <img
                    src={source()}
                    alt={one.name}
                    class="h-16 max-w-40 rounded-control object-contain"
                  />
                )}
              </Show>
              <Show when={props.onRemove}>
                {(remove) => (
                  <IconButton label={`Remove ${one.name}`} onClick={() => remove()(one)}>
                    <X class="size-4" aria-hidden="true" />
                  </IconButton>
                )}
              </Show>
            </li>
          )}
        </For>
      </ul>
    </Show>
  );
}

function NamedFile(props: { of: Attachment }): JSX.Element {
  return (
    <span class="flex min-w-0 items-center gap-2 px-3 py-2 text-sm">
      <FileText class="size-4 shrink-0 text-muted" aria-hidden="true" />
      <span class="truncate">{props.of.name}</span>
      <Show when={props.of.dataUrl === ""}>
        <span class="text-muted">not kept after reloading</span>
      </Show>
    </span>
  );
}
