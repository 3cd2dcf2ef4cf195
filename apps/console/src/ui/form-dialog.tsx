// A dialog that is one form: its fields, why it was refused, and its buttons. Mounted while it is open.
import type { JSX } from "solid-js";
import { Dialog } from "./dialog.tsx";
import { type AnyForm, FormActions, FormFrame } from "./form.tsx";

type FormDialogProps = {
  form: AnyForm;
  title: string;
  description?: string | undefined;
  /** Called on Cancel, and on Esc or a click beside it unless input would be lost. */
  onClose: () => void;
  /** Of the button that submits: a verb. */
  label: string;
  /** While the form is being sent: "Creating…". */
  pendingLabel: string;
  /** The fields. */
  children: JSX.Element;
};

export function FormDialog(props: FormDialogProps): JSX.Element {
  return (
    <Dialog
      open
      onOpenChange={() => props.onClose()}
      title={props.title}
      description={props.description}
    >
      <FormFrame form={props.form}>
        {props.children}
        <FormActions
          form={props.form}
          label={props.label}
          pendingLabel={props.pendingLabel}
          onCancel={() => props.onClose()}
        />
      </FormFrame>
    </Dialog>
  );
}
