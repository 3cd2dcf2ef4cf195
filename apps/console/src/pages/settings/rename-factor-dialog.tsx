// Gives a second factor another name.
import type { JSX } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { checkName } from "../../lib/typed-text.ts";
import { createForm } from "../../ui/create-form.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { FactorNameField } from "./factor-name.tsx";

type Factor = Answers["factors"]["list"]["factors"][number];
type RenameProps = { factor: Factor; onClose: () => void; onDone: () => void };

export default function RenameFactorDialog(props: RenameProps): JSX.Element {
  const { id, name: before } = props.factor;
  const form = createForm({
    initial: { name: before },
    validate: ({ name }) => ({ name: checkName(name, "Enter a name.", "factor") }),
    async submit({ name }) {
      await api.factors.rename.mutate({ id, name });
      props.onDone();
    },
  });
  return (
    <FormDialog
      form={form}
      title={`Rename ${before}`}
      label="Save"
      pendingLabel="Saving…"
      onClose={props.onClose}
    >
      <FactorNameField {...form.field("name")} />
    </FormDialog>
  );
}
