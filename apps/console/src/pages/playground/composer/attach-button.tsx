// Opens the file picker for the types the model accepts; if it accepts none, the button explains
// that.
import type { JSX } from "solid-js";
import { IconButton } from "../../../ui/buttons/button.tsx";
import { Paperclip } from "../../../ui/icons.ts";
import type { Model } from "../conversation/conversation.ts";
import { acceptedTypes } from "./attachments.ts";

type AttachButtonProps = {
  model: Model | undefined;
  onFiles: (files: readonly File[]) => void;
};

export function AttachButton(props: AttachButtonProps): JSX.Element {
  let field: HTMLInputElement | undefined;
  const accepted = () => acceptedTypes(props.model);
  const reason = () =>
    accepted().length > 0 ? undefined : `${props.model?.name ?? ""} does not accept attachments`;
  return (
    <>
      <IconButton
        label={reason() ?? "Attach files"}
        title={reason() ?? "Attach files"}
        aria-disabled={reason() ? "true" : undefined}
        class="aria-disabled:opacity-60"
        onClick={() => reason() === undefined && field?.click()}
      >
        <Paperclip class="size-4" aria-hidden="true" />
      </IconButton>
      <input
        ref={(element) => (field = element)}
        type="file"
        multiple
        hidden
        aria-label="Attach files"
        accept={accepted().join(",")}
        onChange={(event) => {
          props.onFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}
