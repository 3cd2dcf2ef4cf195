// Asks for the password again before an action that a stolen session must not perform; the action then
// continues automatically.
import type { JSX } from "solid-js";
import { api } from "../../lib/api.ts";
import { isUnauthenticated } from "../../lib/read-failure.ts";
import { useMe } from "../../lib/session.ts";
import { t as shared } from "../../lib/texts.ts";
import { Button } from "../../ui/button.tsx";
import { createForm } from "../../ui/create-form.ts";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { FormFrame, SubmitButton, UsernameHint } from "../../ui/form.tsx";
import { PasswordField } from "../../ui/text-field.tsx";
import { t } from "./texts.ts";

type StepUpDialogProps = { onAnswer: (proved: boolean) => void };

export default function StepUpDialog(props: StepUpDialogProps): JSX.Element {
  return (
    <Dialog
      open
      onOpenChange={() => props.onAnswer(false)}
      title={t("dialog.title")}
      description={t("dialog.description")}
    >
      <StepUpForm onAnswer={props.onAnswer} />
    </Dialog>
  );
}

function StepUpForm(props: StepUpDialogProps): JSX.Element {
  const me = useMe();
  const form = createForm({
    initial: { password: "" },
    validate: ({ password }) => ({ password: password === "" ? t("dialog.missing") : undefined }),
    async submit({ password }) {
      try {
        await api.auth.stepUp.mutate({ method: "password", password });
      } catch (error) {
        // The session has expired: the sign-in page takes over.
        if (isUnauthenticated(error)) props.onAnswer(false);
        throw error;
      }
      props.onAnswer(true);
    },
  });
  return (
    <FormFrame form={form}>
      <UsernameHint email={me.data?.person.email} />
      <PasswordField
        {...form.field("password")}
        label={t("dialog.password")}
        autocomplete="current-password"
        autofocus
      />
      <DialogActions>
        <Button onClick={() => props.onAnswer(false)}>{shared("action.cancel")}</Button>
        <SubmitButton form={form} pendingLabel={t("dialog.submitting")}>
          {t("dialog.submit")}
        </SubmitButton>
      </DialogActions>
    </FormFrame>
  );
}
