// Adds an authenticator app: its secret as a QR code and as text, and the first code to prove that it was read.
import type { JSX } from "solid-js";
import { createResource, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { describeFailure } from "../../lib/describe-failure.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { t as shared } from "../../lib/texts.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { createForm } from "../../ui/create-form.ts";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { FormFrame, SubmitButton } from "../../ui/form.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { t } from "./factor-texts.ts";
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
    <Dialog open onOpenChange={props.onClose} title={t("app.title")} description={t("app.intro")}>
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
            <p role="status">{t("app.preparing")}</p>
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
    initial: { code: "", name: t("app.nameDefault") },
    validate: ({ code, name }) => ({
      code: /^\d{6}$/.test(code.replace(/\s/g, "")) ? undefined : t("app.codeMissing"),
      name: name.trim() === "" ? t("factors.nameMissing") : undefined,
    }),
    async submit({ code, name }) {
      const { id } = props.begun;
      const { recoveryCodes } = await api.factors.confirmTotp.mutate({ id, code, name });
      await props.onDone(t("app.done", { name: name.trim() }), recoveryCodes);
    },
  });
  return (
    <FormFrame form={form}>
      <QrCode text={props.begun.uri} label={t("app.qr")} />
      <div class="flex flex-col items-center gap-2">
        <p class="text-sm text-muted">{t("app.secret")}</p>
        <code class="text-center break-all" data-secret="">
          {props.begun.secret.match(/.{1,4}/g)?.join(" ")}
        </code>
        <CopyButton text={props.begun.secret} label={t("app.copySecret")} />
      </div>
      <TextField
        {...form.field("code")}
        label={t("app.code")}
        hint={t("app.codeHint")}
        inputmode="numeric"
        autocomplete="one-time-code"
        maxlength={7}
        mono
        autofocus
      />
      <TextField
        {...form.field("name")}
        label={t("app.name")}
        hint={t("app.nameHint")}
        maxlength={60}
        autocomplete="off"
      />
      <DialogActions>
        <Button onClick={props.onClose}>{shared("action.cancel")}</Button>
        <SubmitButton form={form} pendingLabel={t("app.submitting")}>
          {t("app.submit")}
        </SubmitButton>
      </DialogActions>
    </FormFrame>
  );
}
