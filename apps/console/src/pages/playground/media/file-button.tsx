// A button that opens the file picker.
import type { JSX } from "solid-js";
import { Button } from "../../../ui/buttons/button.tsx";
import { Plus } from "../../../ui/icons.ts";

type FileButtonProps = {
  label: string;
  accept: string;
  multiple: boolean;
  onFiles: (files: readonly File[]) => void;
};

export function FileButton(props: FileButtonProps): JSX.Element {
  let field: HTMLInputElement | undefined;
  return (
    <>
      <Button
        size="small"
        icon={<Plus class="size-4" aria-hidden="true" />}
        onClick={() => field?.click()}
      >
        {props.label}
      </Button>
      <input
        ref={(element) => {
          field = element;
        }}
        type="file"
        hidden
        multiple={props.multiple}
        aria-label={props.label}
        accept={props.accept}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = "";
          if (files.length > 0) props.onFiles(files);
        }}
      />
    </>
  );
}
