// Asks for the name under which a view of Explore is saved.
import type { JSX } from "solid-js";
import { checkName } from "../../../lib/typed-text.ts";
import { createForm } from "../../../ui/create-form.ts";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { type SavedView, viewsMax } from "./read-views.ts";

type NameViewProps = {
  taken: readonly SavedView[];
  onSave: (name: string) => void;
  onClose: () => void;
};

export default function NameView(props: NameViewProps): JSX.Element {
  const form = createForm({
    initial: { name: "" },
    validate: ({ name }) => ({
      name: checkName(name, "Enter a name for this view.") ?? checkTaken(name, props.taken),
    }),
    submit: async ({ name }) => props.onSave(name.trim()),
  });
  return (
    <FormDialog
      form={form}
      title="Save this view"
      label="Save view"
      pendingLabel="Saving…"
      onClose={props.onClose}
    >
      <TextField
        {...form.field("name")}
        label="Name"
        hint="Saved in this browser. To share a view, copy its link."
        autocomplete="off"
        autofocus
      />
    </FormDialog>
  );
}

function checkTaken(text: string, taken: readonly SavedView[]): string | undefined {
  if (taken.some(({ name }) => name === text.trim()))
    return "There is already a view with this name.";
  return taken.length >= viewsMax ? `Remove one of the ${viewsMax} views first.` : undefined;
}
