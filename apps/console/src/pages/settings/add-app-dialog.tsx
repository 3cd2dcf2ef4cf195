// Adds an authenticator app: its secret as a QR code and as text, and the first code to prove that it was read.
import type { JSX } from "solid-js";
import { createResource, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { describeFailure } from "../../lib/describe-failure.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { Banner } from "../../ui/banner.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { createForm } from "../../ui/create-form.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormActions, FormFrame } from "../../ui/form.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { QrCode } from "./qr-code.tsx";

type Begun = Answers["factors"]["beginTotp"];

type AddAppProps = {
  onClose: () => void;
  onDone: (toast: string, codes: readonly string[]) => Promise<void>;
};

export default function AddAppDialog(props: AddAppProps): JSX.Element {
  const [begun] = createResource(async () => {
    try {
      return { ok: true, begun: await api.factors.beginTotp.mutate() } as const;
    } catch (error) {
      return { ok: false, failure: readFailure(error) } as const;
    }
  });
  const failure = () => {
    const outcome = begun.latest;
    return outcome?.ok === false ? outcome.failure : undefined;
  };
  const app = () => {
    const outcome = begun.latest;
    return outcome?.ok ? outcome.begun : undefined;
  };
  return (
    <Dialog
      open
      onOpenChange={props.onClose}
      title="Add authenticator app"
      description="Scan the QR code with an app such as Aegis, 1Password or Google Authenticator."
    >
      <Show when={failure()}>
        {(refused) => (
          <Banner tone="danger" urgent>
            {describeFailure(refused())}
          </Banner>
        )}
      </Show>
      <Show
        when={app()}
        fallback={
          <Show when={failure() === undefined}>
            <p role="status">Preparing the QR code…</p>
          </Show>
        }
      >
        {(ready) => <ConfirmForm begun={ready()} {...props} />}
      </Show>
    </Dialog>
  );
}

function ConfirmForm(props: AddAppProps & { begun: Begun }): JSX.Element {
  const form = createForm({
    initial: { code: "", name: "Authenticator app" },
    validate: ({ code, name }) => ({
      code: /^\d{6}$/.test(code.replace(/\s/g, "")) ? undefined : "Enter the six digits.",
      name: name.trim() === "" ? "Enter a name." : undefined,
    }),
    async submit({ code, name }) {
      const { id } = props.begun;
      const { recoveryCodes } = await api.factors.confirmTotp.mutate({ id, code, name });
      await props.onDone(
        `${name.trim()} was added. Signing in asks for it from now on.`,
        recoveryCodes,
      );
    },
  });
  return (
    <FormFrame form={form}>
      <QrCode text={props.begun.uri} label="QR code for your authenticator app" />
      <div class="flex flex-col items-center gap-2">
        <p class="text-sm text-muted">Or type this secret into the app</p>
        <code class="text-center break-all" data-secret="">
          {props.begun.secret.match(/.{1,4}/g)?.join(" ")}
        </code>
        <CopyButton text={props.begun.secret} label="Copy secret" />
      </div>
      <TextField
        {...form.field("code")}
        label="Code"
        hint="The six digits the app shows now."
        inputmode="numeric"
        autocomplete="one-time-code"
        maxlength={7}
        mono
        autofocus
      />
      <TextField
        {...form.field("name")}
        label="Name"
        hint="To tell it from others."
        maxlength={60}
        autocomplete="off"
      />
      <FormActions form={form} label="Add app" pendingLabel="Checking…" onCancel={props.onClose} />
    </FormFrame>
  );
}
