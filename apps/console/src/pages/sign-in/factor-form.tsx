// The second step of signing in, after the right password: the code of a second factor.
import { useMutation } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { formatDateTime } from "../../lib/format.ts";
import { useTimeZone } from "../../lib/session.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { ChangeButton } from "../../ui/buttons/change-button.tsx";
import { type CodeMethod, FactorField, OtherMethods } from "../../ui/factor/factor-field.tsx";
import { PasskeyButton } from "../../ui/factor/passkey-button.tsx";
import { createForm } from "../../ui/forms/create-form.ts";
import { FormFrame, SubmitButton } from "../../ui/forms/form.tsx";
import { Banner, ErrorBanner } from "../../ui/notices/banner.tsx";
import type { AskedFactor } from "./read-asked-factor.ts";
import { useArrival } from "./use-arrival.ts";

type FactorFormProps = { asked: AskedFactor; onBack: () => void };

export default function FactorForm(props: FactorFormProps): JSX.Element {
  const arrive = useArrival();
  const first = () => (props.asked.methods.includes("totp") ? "totp" : "recovery_code");
  const [method, setMethod] = createSignal<CodeMethod>(first());
  const form = createForm({
    initial: { code: "" },
    validate: (given) => ({ code: given.code.trim() === "" ? "Enter the code." : undefined }),
    async submit(given) {
      const proof = { method: method(), code: given.code };
      await api.auth.loginFactor.mutate({ challenge: props.asked.challenge, proof });
      await arrive();
    },
  });
  const choose = (chosen: CodeMethod) => {
    setMethod(chosen);
    form.reset({ code: "" });
  };
  const { challenge } = props.asked;
  const givePasskey = async (credential: string) => {
    await api.auth.loginFactor.mutate({ challenge, proof: { method: "passkey", credential } });
    await arrive();
  };
  const hasPasskey = () => props.asked.methods.includes("passkey");
  return (
    <FormFrame form={form} mayBeLost>
      <p class="text-muted">Your account also asks for a second factor.</p>
      <Show when={hasPasskey()}>
        <PasskeyButton
          label="Use your passkey"
          ask={() => api.auth.askPasskey.mutate({ challenge })}
          give={givePasskey}
          primary
        />
      </Show>
      <FactorField method={method()} field={form.field("code")} />
      <SubmitButton form={form} label="Sign in" pendingLabel="Signing in…" wide />
      <div class="flex flex-col gap-2">
        <OtherMethods method={method()} methods={props.asked.methods} onChange={choose} />
        <LostFactor challenge={challenge} />
        <Button variant="ghost" wide onClick={props.onBack}>
          Start again
        </Button>
      </div>
    </FormFrame>
  );
}

/** Begins the recovery, which takes days. */
function LostFactor(props: { challenge: string }): JSX.Element {
  const timeZone = useTimeZone();
  const request = useMutation(() => ({
    mutationFn: () => api.auth.requestRecovery.mutate({ challenge: props.challenge }),
  }));
  return (
    <>
      <ErrorBanner error={request.error} />
      <Show
        when={request.data}
        fallback={
          <ChangeButton variant="ghost" wide change={request}>
            I lost my second factor and my recovery codes
          </ChangeButton>
        }
      >
        {(begun) => (
          <Banner tone="info" urgent>
            We sent you an email. After a delay, from{" "}
            {formatDateTime(new Date(begun().readyAt), timeZone())}, another one lets you remove
            your second factors. You can cancel it until then; signing in with a factor cancels it
            too.
          </Banner>
        )}
      </Show>
    </>
  );
}
