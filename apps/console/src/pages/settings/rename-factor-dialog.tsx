// Gives a second factor another name.
import type { JSX } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { createForm } from "../../ui/create-form.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";

type Factor = Answers["factors"]["list"]["factors"][number];
type RenameProps = { factor: Factor; onClose: () => void; onDone: () => void };

export default function RenameFactorDialog(props: RenameProps): JSX.Element {
  const { id, name } = props.factor;
  const form = createForm({
    initial: { name },
    validate: (given) => ({
      name: given.name.trim() === "" ? "Enter a name." : undefined,
    }),
    async submit(given) {
      await api.factors.rename.mutate({ id, name: given.name });
      props.onDone();
    },
  });
  return (
    <FormDialog
      form={form}
      title={`Rename ${name}`}
      label="Save"
      pendingLabel="Saving…"
      onClose={props.onClose}
    >
      <TextField {...form.field("name")} label="Name" maxlength={60} autocomplete="off" />
    </FormDialog>
  );
}
