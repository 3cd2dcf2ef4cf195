// Adds an authenticator app: its secret as a QR code and as text, and the first code to prove that it was read.
import { useMutation } from "@tanstack/solid-query";
import { codeCharsMax } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { Match, onMount, Switch } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { checkName } from "../../lib/typed-text.ts";
import { CopyButton } from "../../ui/buttons/copy-button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { createForm } from "../../ui/forms/create-form.ts";
import { FormActions, FormFrame } from "../../ui/forms/form.tsx";
import { TextField } from "../../ui/forms/text-field.tsx";
import { ErrorBanner } from "../../ui/notices/banner.tsx";
import { type AddFactorProps, FactorNameField } from "./factor-name.tsx";
import { QrCode } from "./qr-code.tsx";

export default function AddAppDialog(props: AddFactorProps): JSX.Element {
  const begin = useMutation(() => ({ mutationFn: () => api.factors.beginTotp.mutate() }));
  onMount(() => begin.mutate());
  return (
    <Dialog
      open
      onOpenChange={props.onClose}
      title="Add authenticator app"
      description="Scan the QR code with an app such as Aegis, 1Password or Google Authenticator."
    >
      <Switch fallback={<p role="status">Preparing the QR code…</p>}>
        <Match when={begin.isError}>
          <ErrorBanner error={begin.error} />
        </Match>
        <Match when={begin.data}>{(begun) => <ConfirmForm begun={begun()} {...props} />}</Match>
      </Switch>
    </Dialog>
  );
}

type ConfirmFormProps = AddFactorProps & { begun: Answers["factors"]["beginTotp"] };

function ConfirmForm(props: ConfirmFormProps): JSX.Element {
  let code: HTMLInputElement | undefined;
  // The dialog opened before it had a field; a dialog above it may be about to give the focus back.
  onMount(() => setTimeout(() => code?.focus()));
  const form = createForm({
    initial: { code: "", name: "Authenticator app" },
    validate: (given) => ({
      // However they are separated, also of full width: the server reads them.
      code:
        given.code.match(/[\d\uff10-\uff19]/g)?.length === 6 ? undefined : "Enter the six digits.",
      name: checkName(given.name, "Enter a name.", "factor"),
    }),
    async submit(given) {
      const { id } = props.begun;
      const { recoveryCodes } = await api.factors.confirmTotp.mutate({ id, ...given });
      await props.onDone(given.name, recoveryCodes);
    },
  });
  return (
    <FormFrame form={form}>
      {/* Beside each other, so that the dialog fits a screen of 800 px. */}
      <div class="flex flex-col items-center gap-5 sm:flex-row">
        <div class="shrink-0">
          <QrCode text={props.begun.uri} label="QR code for your authenticator app" />
        </div>
        <div class="flex flex-col items-center gap-2 sm:items-start">
          <p class="text-sm text-muted">Or type this secret into the app</p>
          <code translate="no" class="break-all max-sm:text-center" data-secret="">
            {props.begun.secret.match(/.{1,4}/g)?.join(" ")}
          </code>
          <CopyButton text={props.begun.secret} label="Copy secret" />
        </div>
      </div>
      <TextField
        {...form.field("code")}
        ref={(element) => {
          code = element;
        }}
        label="Code"
        hint="The six digits the app shows now."
        inputmode="numeric"
        autocomplete="one-time-code"
        maxlength={codeCharsMax}
        mono
      />
      <FactorNameField {...form.field("name")} />
      <FormActions form={form} label="Add app" pendingLabel="Checking…" onCancel={props.onClose} />
    </FormFrame>
  );
}
