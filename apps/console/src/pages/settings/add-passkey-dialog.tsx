// Adds a passkey: the browser makes it, with its own dialog.
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { makePasskey, PasskeyDeclined } from "../../lib/passkeys/ask-passkey.ts";
import { checkName } from "../../lib/typed-text.ts";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { createForm } from "../../ui/forms/create-form.ts";
import { FormActions, FormFrame } from "../../ui/forms/form.tsx";
import { Banner } from "../../ui/notices/banner.tsx";
import { type AddFactorProps, FactorNameField } from "./factor-name.tsx";

export default function AddPasskeyDialog(props: AddFactorProps): JSX.Element {
  const [declined, setDeclined] = createSignal(false);
  const form = createForm({
    initial: { name: "Passkey" },
    validate: ({ name }) => ({ name: checkName(name, "Enter a name.", "factor") }),
    async submit({ name }) {
      setDeclined(false);
      try {
        const credential = await makePasskey(await api.factors.beginPasskey.mutate());
        const { recoveryCodes } = await api.factors.addPasskey.mutate({ name, credential });
        await props.onDone(name, recoveryCodes);
      } catch (error) {
        if (!(error instanceof PasskeyDeclined)) throw error;
        setDeclined(true);
      }
    },
  });
  return (
    <Dialog
      open
      onOpenChange={() => props.onClose()}
      title="Add passkey"
      description="Your device, your password manager or a security key keeps it. It signs in without a password."
    >
      <FormFrame form={form}>
        <Show when={declined()}>
          <Banner tone="danger" urgent>
            Your browser made no passkey. Perhaps this device already has one for this account.
          </Banner>
        </Show>
        <FactorNameField {...form.field("name")} />
        <FormActions
          form={form}
          label="Continue"
          pendingLabel="Waiting for your browser…"
          onCancel={props.onClose}
        />
      </FormFrame>
    </Dialog>
  );
}
