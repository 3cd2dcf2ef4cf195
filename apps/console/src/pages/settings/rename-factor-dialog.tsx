// Gives a second factor another name.
import type { JSX } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { createForm } from "../../ui/create-form.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormActions, FormFrame } from "../../ui/form.tsx";
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
    <Dialog open onOpenChange={props.onClose} title={`Rename ${name}`}>
      <FormFrame form={form}>
        <TextField {...form.field("name")} label="Name" maxlength={60} autocomplete="off" />
        <FormActions form={form} label="Save" pendingLabel="Saving…" />
      </FormFrame>
    </Dialog>
  );
}
