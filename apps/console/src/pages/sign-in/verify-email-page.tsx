// Opened from the verification email: verifies the address together with a password. Without a token it
// is the page that asks people to check their inbox.
import { useSearchParams } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createSignal, Match, Show, Switch } from "solid-js";
import { api } from "../../lib/api.ts";
import { AddressForm } from "./address-form.tsx";
import { CheckMail } from "./check-mail.tsx";
import { useEntryState } from "./entry-state.ts";
import { ExpiredLink } from "./expired-link.tsx";
import { VerifyLink } from "./verify-link.tsx";

export default function VerifyEmailPage(): JSX.Element {
  const [query] = useSearchParams<{ token?: string }>();
  const entry = useEntryState();
  const [email, setEmail] = createSignal(entry.email);
  return (
    <Switch fallback={<AskAddress onSent={setEmail} />}>
      <Match when={email()}>{(known) => <CheckMail email={known()} />}</Match>
      <Match when={query.token}>{(token) => <UseToken token={token()} onSent={setEmail} />}</Match>
    </Switch>
  );
}

function UseToken(props: { token: string; onSent: (email: string) => void }): JSX.Element {
  const [expired, setExpired] = createSignal(false);
  return (
    <Show
      when={expired()}
      fallback={<VerifyLink token={props.token} onExpired={() => setExpired(true)} />}
    >
      <div class="flex flex-col gap-5">
        <ExpiredLink lifetime="Links work for 24 hours, and only the newest one is valid." />
        <AskAddress onSent={props.onSent} />
      </div>
    </Show>
  );
}

/** For people without a working link. */
function AskAddress(props: { onSent: (email: string) => void }): JSX.Element {
  return (
    <AddressForm
      intro="We will send a new link to the address you signed up with."
      label="Send a new link"
      send={(email) => api.auth.resendVerification.mutate({ email })}
      onSent={props.onSent}
    />
  );
}
