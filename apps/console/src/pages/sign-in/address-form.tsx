// Asks for the address of an account, to which a link is sent.
import { A } from "@solidjs/router";
import type { Accessor, JSX } from "solid-js";
import { Show } from "solid-js";
import { createForm } from "../../ui/forms/create-form.ts";
import { FormFrame, SubmitButton } from "../../ui/forms/form.tsx";
import { EmailField } from "../../ui/forms/text-field.tsx";
import { checkEmail } from "./check-fields.ts";

type AddressFormProps = {
  intro: string;
  label: string;
  send: (email: string) => Promise<unknown>;
  onSent: (email: string) => void;
  /** Offered when others have tried too often. */
  whenThrottled?: (email: Accessor<string>) => JSX.Element;
};

export function AddressForm(props: AddressFormProps): JSX.Element {
  const form = createForm({
    initial: { email: "" },
    validate: ({ email }) => ({ email: checkEmail(email) }),
    async submit({ email }) {
      await props.send(email.trim());
      props.onSent(email.trim());
    },
  });
  return (
    <FormFrame form={form} mayBeLost>
      <p class="text-muted">{props.intro}</p>
      <EmailField {...form.field("email")} label="Email" autocomplete="username" autofocus />
      <SubmitButton form={form} label={props.label} pendingLabel="Sending…" wide />
      <Show when={form.failure()?.code === "throttled"}>
        {props.whenThrottled?.(() => form.values.email.trim())}
      </Show>
      <BackToSignIn />
    </FormFrame>
  );
}

export function BackToSignIn(): JSX.Element {
  return (
    <p class="text-center">
      <A href="/login" class="link">
        Back to sign in
      </A>
    </p>
  );
}
