// Asking for a link to choose a new password; the answer never reveals whether the address is known.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { useConfig } from "../../lib/session.ts";
import { Banner } from "../../ui/banner.tsx";
import { createForm } from "../../ui/create-form.ts";
import { FormFrame, SubmitButton } from "../../ui/form.tsx";
import { EmailField } from "../../ui/text-field.tsx";
import { checkEmail } from "./check-fields.ts";
import { UnlockOffer } from "./unlock-offer.tsx";

export default function ForgotPasswordPage(): JSX.Element {
  const config = useConfig();
  const [sentTo, setSentTo] = createSignal<string>();
  const form = createForm({
    initial: { email: "" },
    validate: ({ email }) => ({ email: checkEmail(email) }),
    async submit({ email }) {
      await api.auth.forgotPassword.mutate({ email: email.trim() });
      setSentTo(email.trim());
    },
  });
  return (
    <div class="flex flex-col gap-5">
      <Show
        when={sentTo()}
        fallback={
          <FormFrame form={form} mayBeLost>
            <p class="text-muted">We will send you a link to choose a new password.</p>
            <EmailField {...form.field("email")} label="Email" autocomplete="username" autofocus />
            <SubmitButton form={form} label="Send link" pendingLabel="Sending…" wide />
            <Show when={form.failure()?.code === "throttled"}>
              <UnlockOffer email={form.values.email.trim()} />
            </Show>
          </FormFrame>
        }
      >
        {(email) => (
          <>
            <Banner tone="success" urgent>
              If an account exists, a link is on its way.
            </Banner>
            <p class="wrap-anywhere text-muted">
              It goes to {email()} and works for 30 minutes. Check your spam folder too.
            </p>
            <Show when={config.data?.development}>
              <a href="/dev/mail" rel="external" class="link">
                Open dev inbox
              </a>
            </Show>
          </>
        )}
      </Show>
      <p class="text-center">
        <A href="/login" class="link">
          Back to sign in
        </A>
      </p>
    </div>
  );
}
