// The images to edit and the mask: what was added is shown, and can be removed one by one.
import type { JSX } from "solid-js";
import { createUniqueId, For, Show } from "solid-js";
import { IconButton } from "../../../ui/buttons/button.tsx";
import { FieldError } from "../../../ui/forms/field.tsx";
import { X } from "../../../ui/icons.ts";
import { useObjectUrl } from "../../../ui/media/use-object-url.ts";
import { FileButton } from "../media/file-button.tsx";
import { imageTypes } from "./input-images.ts";

type InputImagesFieldProps = {
  inputs: readonly File[];
  /** How many the model takes. */
  most: number;
  mask: File | undefined;
  takesMask: boolean;
  problem: string | undefined;
  onAdd: (files: readonly File[]) => void;
  onRemove: (file: File) => void;
  onMask: (file: File | undefined) => void;
};

export function InputImagesField(props: InputImagesFieldProps): JSX.Element {
  const id = createUniqueId();
  return (
    <fieldset class="flex min-w-0 flex-col gap-2" aria-describedby={`${id}-hint`}>
      <legend class="mb-1.5 text-base font-medium">
        Images to edit <span class="font-normal text-muted">(optional)</span>
      </legend>
      <Show when={props.inputs.length > 0}>
        <ul aria-label="Images to edit" class="flex flex-wrap gap-3">
          <For each={props.inputs}>
            {(file) => (
              <Thumbnail file={file} name={file.name} onRemove={() => props.onRemove(file)} />
            )}
          </For>
          <Show when={props.mask} keyed>
            {(mask) => (
              <Thumbnail
                file={mask}
                name={`Mask: ${mask.name}`}
                onRemove={() => props.onMask(undefined)}
              />
            )}
          </Show>
        </ul>
      </Show>
      <div class="flex flex-wrap items-center gap-2">
        <FileButton
          label="Choose images"
          accept={imageTypes.join(",")}
          multiple={props.most > 1}
          onFiles={props.onAdd}
        />
        <Show when={props.inputs.length > 0 && props.takesMask && props.mask === undefined}>
          <FileButton
            label="Add a mask"
            accept="image/png"
            multiple={false}
            onFiles={([file]) => props.onMask(file)}
          />
        </Show>
      </div>
      <FieldError id={`${id}-error`} error={props.problem} />
      <p id={`${id}-hint`} class="text-sm text-muted">
        Choose, drop or paste them.{" "}
        <Show when={props.takesMask && props.inputs.length > 0}>
          A mask is a PNG of the same size: only where it is transparent, the first image is
          changed.
        </Show>
      </p>
    </fieldset>
  );
}

function Thumbnail(props: { file: File; name: string; onRemove: () => void }): JSX.Element {
  const address = useObjectUrl(() => props.file);
  return (
    <li class="flex items-start gap-1 rounded-control border border-border bg-surface p-1">
      <img src={address()} alt={props.name} class="h-20 max-w-40 rounded-control object-contain" />
      <IconButton label={`Remove ${props.name}`} class="size-7!" onClick={props.onRemove}>
        <X class="size-4" aria-hidden="true" />
      </IconButton>
    </li>
  );
}
