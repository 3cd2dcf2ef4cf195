// Adds a passkey: the browser makes it, with its own dialog.
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { makePasskey, PasskeyDeclined } from "../../lib/passkeys/ask-passkey.ts";
import { t as shared } from "../../lib/texts.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { createForm } from "../../ui/create-form.ts";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { FormFrame, SubmitButton } from "../../ui/form.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { t } from "./factor-texts.ts";

type AddPasskeyProps = {
  onClose: () => void;
  onDone: (toast: string, codes: readonly string[]) => Promise<void>;
};

export default function AddPasskeyDialog(props: AddPasskeyProps): JSX.Element {
  const [declined, setDeclined] = createSignal(false);
  const form = createForm({
    initial: { name: t("passkey.nameDefault") },
    validate: ({ name }) => ({ name: name.trim() === "" ? t("factors.nameMissing") : undefined }),
    async submit({ name }) {
      setDeclined(false);
      try {
        const credential = await makePasskey(await api.factors.beginPasskey.mutate());
        const { recoveryCodes } = await api.factors.addPasskey.mutate({ name, credential });
        await props.onDone(t("app.done", { name: name.trim() }), recoveryCodes);
      } catch (error) {
        if (!(error instanceof PasskeyDeclined)) throw error;
        setDeclined(true);
      }
    },
  });
  return (
    <Dialog
      open
      onOpenChange={props.onClose}
      title={t("passkey.title")}
      description={t("passkey.intro")}
    >
      <FormFrame form={form}>
        <Show when={declined()}>
          <Banner tone="danger" urgent>
            {t("passkey.declined")}
          </Banner>
        </Show>
        <TextField
          {...form.field("name")}
          label={t("app.name")}
          hint={t("app.nameHint")}
          maxlength={60}
          autocomplete="off"
        />
        <DialogActions>
          <Button onClick={props.onClose}>{shared("action.cancel")}</Button>
          <SubmitButton form={form} pendingLabel={t("passkey.submitting")}>
            {t("passkey.submit")}
          </SubmitButton>
        </DialogActions>
      </FormFrame>
    </Dialog>
  );
}
