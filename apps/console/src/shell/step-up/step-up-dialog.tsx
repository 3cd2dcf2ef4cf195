// Asks who it is again before an action that a stolen session must not perform: for the password, or for a
// second factor. The action then continues automatically.
import type { JSX } from "solid-js";
import { createSignal, lazy, Match, Show, Suspense, Switch } from "solid-js";
import { api, type Inputs } from "../../lib/api.ts";
import { isUnauthenticated } from "../../lib/read-failure.ts";
import { useConfig, useMe } from "../../lib/session.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { type CodeMethod, FactorField, OtherMethods } from "../../ui/factor/factor-field.tsx";
import { PasskeyButton } from "../../ui/factor/passkey-button.tsx";
import { createForm } from "../../ui/forms/create-form.ts";
import { FormActions, FormFrame, UsernameHint } from "../../ui/forms/form.tsx";
import { PasswordField } from "../../ui/forms/text-field.tsx";

const ProviderProof = lazy(() => import("./provider-proof.tsx"));

type StepUpDialogProps = { onAnswer: (proved: boolean) => void };

export default function StepUpDialog(props: StepUpDialogProps): JSX.Element {
  const me = useMe();
  const config = useConfig();
  const [method, setMethod] = createSignal<"password" | CodeMethod>("password");
  const kinds = () => me.data?.person.factors ?? [];
  const methods = (): readonly string[] =>
    kinds().length === 0 ? [] : [...kinds(), "recovery_code"];
  const codeMethod = () => {
    const chosen = method();
    return chosen === "password" ? undefined : chosen;
  };
  return (
    <Dialog
      open
      onOpenChange={() => props.onAnswer(false)}
      title="Confirm it's you"
      description="This change needs a recent sign-in. We won't ask again for ten minutes."
    >
      <Switch fallback={<PasswordForm onAnswer={props.onAnswer} />}>
        <Match when={codeMethod()} keyed>
          {(chosen) => <CodeForm method={chosen} onAnswer={props.onAnswer} />}
        </Match>
      </Switch>
      <div class="mt-4 flex flex-col gap-2">
        <Show when={kinds().includes("passkey")}>
          <PasskeyButton
            label="Use your passkey"
            ask={() => api.factors.ask.mutate()}
            give={(credential) => prove(props, { method: "passkey", credential })}
          />
        </Show>
        <Show when={config.data?.signInProviders.length}>
          <Suspense>
            <ProviderProof />
          </Suspense>
        </Show>
        <OtherMethods method={method()} methods={methods()} onChange={setMethod} />
        <Show when={method() !== "password"}>
          <Button variant="ghost" wide onClick={() => setMethod("password")}>
            Use your password
          </Button>
        </Show>
      </div>
    </Dialog>
  );
}

/** Sends the proof; if the session has expired, the sign-in page takes over. */
async function prove(props: StepUpDialogProps, proof: Inputs["auth"]["stepUp"]): Promise<void> {
  try {
    await api.auth.stepUp.mutate(proof);
  } catch (error) {
    if (isUnauthenticated(error)) props.onAnswer(false);
    throw error;
  }
  props.onAnswer(true);
}

function PasswordForm(props: StepUpDialogProps): JSX.Element {
  const me = useMe();
  const form = createForm({
    initial: { password: "" },
    validate: ({ password }) => ({
      password: password === "" ? "Enter your password." : undefined,
    }),
    submit: ({ password }) => prove(props, { method: "password", password }),
  });
  return (
    <FormFrame form={form} mayBeLost>
      <UsernameHint email={me.data?.person.email} />
      <PasswordField
        {...form.field("password")}
        label="Your password"
        autocomplete="current-password"
        autofocus
      />
      <Actions form={form} onAnswer={props.onAnswer} />
    </FormFrame>
  );
}

function CodeForm(props: StepUpDialogProps & { method: CodeMethod }): JSX.Element {
  const form = createForm({
    initial: { code: "" },
    validate: (given) => ({ code: given.code.trim() === "" ? "Enter the code." : undefined }),
    submit: (given) => prove(props, { method: props.method, code: given.code }),
  });
  return (
    <FormFrame form={form} mayBeLost>
      <FactorField method={props.method} field={form.field("code")} />
      <Actions form={form} onAnswer={props.onAnswer} />
    </FormFrame>
  );
}

function Actions(props: StepUpDialogProps & { form: { pending: () => boolean } }): JSX.Element {
  return (
    <FormActions
      form={props.form}
      label="Continue"
      pendingLabel="Checking…"
      onCancel={() => props.onAnswer(false)}
    />
  );
}
