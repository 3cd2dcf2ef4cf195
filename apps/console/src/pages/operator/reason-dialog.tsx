// Asks for the reason of an action, then does it. Every action of the desk has one, which the account can read.
import type { JSX } from "solid-js";
import { createForm } from "../../ui/create-form.ts";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { FormFrame, SubmitButton } from "../../ui/form.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { t } from "./texts.ts";

type ReasonDialogProps = {
  title: string;
  body: string;
  confirmLabel: string;
  run: (reason: string) => Promise<unknown>;
  onClose: () => void;
  onDone: () => void;
};

export function ReasonDialog(props: ReasonDialogProps): JSX.Element {
  const form = createForm({
    initial: { reason: "" },
    validate: ({ reason }) => ({ reason: reason.trim() === "" ? t("reason.missing") : undefined }),
    async submit({ reason }) {
      await props.run(reason.trim());
      props.onClose();
      props.onDone();
      showToast(t("reason.done"));
    },
  });
  return (
    <Dialog open onOpenChange={props.onClose} title={props.title} description={props.body}>
      <FormFrame form={form}>
        <TextField
          {...form.field("reason")}
          label={t("reason.label")}
          hint={t("reason.hint")}
          maxlength={500}
          autocomplete="off"
        />
        <DialogActions>
          <SubmitButton form={form} pendingLabel={t("reason.pending")}>
            {props.confirmLabel}
          </SubmitButton>
        </DialogActions>
      </FormFrame>
    </Dialog>
  );
}
