// Opens the file picker for the types the model accepts; if it accepts none, the button explains
// that.
import type { JSX } from "solid-js";
import { IconButton } from "../../ui/button.tsx";
import { Paperclip } from "../../ui/icons.ts";
import { acceptedTypes } from "./attachments.ts";
import type { Model } from "./conversation.ts";
import { t } from "./texts.ts";

type AttachButtonProps = {
  model: Model | undefined;
  onFiles: (files: readonly File[]) => void;
};

export function AttachButton(props: AttachButtonProps): JSX.Element {
  let field: HTMLInputElement | undefined;
  const accepted = () => acceptedTypes(props.model);
  const reason = () =>
    accepted().length > 0 ? undefined : t("attach.none", { model: props.model?.name ?? "" });
  return (
    <>
      <IconButton
        label={reason() ?? t("attach.add")}
        title={reason() ?? t("attach.add")}
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
        aria-label={t("attach.add")}
        accept={accepted().join(",")}
        onChange={(event) => {
          props.onFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}
