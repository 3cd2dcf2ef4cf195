// Sets or changes the low-balance alert without leaving the Wallet.
import type { JSX } from "solid-js";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { AlertFields, createAlertForm } from "../shared/low-balance-alert.tsx";

type AlertDialogProps = { level: string | null; email: string; onClose: () => void };

export default function LowBalanceDialog(props: AlertDialogProps): JSX.Element {
  const form = createAlertForm({
    level: props.level,
    on: true,
    onSaved: () => props.onClose(),
  });
  return (
    <FormDialog
      form={form}
      title="Low-balance alert"
      description={`One email to ${props.email} when the available balance falls below an amount you choose.`}
      label="Save"
      pendingLabel="Saving…"
      onClose={props.onClose}
    >
      <AlertFields form={form} />
    </FormDialog>
  );
}
