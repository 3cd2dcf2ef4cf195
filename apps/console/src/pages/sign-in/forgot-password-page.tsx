// Asking for a link to choose a new password; the answer never reveals whether the address is known.
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { Banner } from "../../ui/notices/banner.tsx";
import { AddressForm, BackToSignIn } from "./address-form.tsx";
import { DevInbox } from "./check-mail.tsx";
import { UnlockOffer } from "./send-link.tsx";

export default function ForgotPasswordPage(): JSX.Element {
  const [sentTo, setSentTo] = createSignal<string>();
  return (
    <Show
      when={sentTo()}
      fallback={
        <AddressForm
          intro="We will send you a link to choose a new password."
          label="Send link"
          send={(email) => api.auth.forgotPassword.mutate({ email })}
          onSent={setSentTo}
          whenThrottled={(email) => <UnlockOffer email={email()} />}
        />
      }
    >
      {(email) => (
        <div class="flex flex-col gap-5">
          <Banner tone="success" urgent>
            If an account exists, a link is on its way.
          </Banner>
          <p class="wrap-anywhere text-muted">
            It goes to {email()} and works for 30 minutes. Check your spam folder too.
          </p>
          <DevInbox />
          <BackToSignIn />
        </div>
      )}
    </Show>
  );
}
