// Adds a passkey: the browser makes it, with its own dialog.
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { makePasskey, PasskeyDeclined } from "../../lib/passkeys/ask-passkey.ts";
import { Banner } from "../../ui/banner.tsx";
import { createForm } from "../../ui/create-form.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormActions, FormFrame } from "../../ui/form.tsx";
import { TextField } from "../../ui/text-field.tsx";

type AddPasskeyProps = {
  onClose: () => void;
  onDone: (toast: string, codes: readonly string[]) => Promise<void>;
};

export default function AddPasskeyDialog(props: AddPasskeyProps): JSX.Element {
  const [declined, setDeclined] = createSignal(false);
  const form = createForm({
    initial: { name: "Passkey" },
    validate: ({ name }) => ({ name: name.trim() === "" ? "Enter a name." : undefined }),
    async submit({ name }) {
      setDeclined(false);
      try {
        const credential = await makePasskey(await api.factors.beginPasskey.mutate());
        const { recoveryCodes } = await api.factors.addPasskey.mutate({ name, credential });
        await props.onDone(
          `${name.trim()} was added. Signing in asks for it from now on.`,
          recoveryCodes,
        );
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
      title="Add passkey"
      description="Your device, your password manager or a security key keeps it. It signs in without a password."
    >
      <FormFrame form={form}>
        <Show when={declined()}>
          <Banner tone="danger" urgent>
            Your browser made no passkey. Perhaps this device already has one for this account.
          </Banner>
        </Show>
        <TextField
          {...form.field("name")}
          label="Name"
          hint="To tell it from others."
          maxlength={60}
          autocomplete="off"
        />
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
