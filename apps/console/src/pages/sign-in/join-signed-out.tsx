// Joining for someone who is not signed in: with a name and a password, a passkey or a provider if they have no account
// yet, else by signing in. The link has proven the address, so no second mail is needed.
import { useNavigate } from "@solidjs/router";
import { useMutation } from "@tanstack/solid-query";
import { nameCharsMax } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { createSignal, Match, Show, Switch } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { useConfig, usePasswordMinLength } from "../../lib/session.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { ChangeButton } from "../../ui/buttons/change-button.tsx";
import { createForm } from "../../ui/forms/create-form.ts";
import { FormFrame, SubmitButton } from "../../ui/forms/form.tsx";
import { EmailField, TextField } from "../../ui/forms/text-field.tsx";
import { Banner, ErrorBanner } from "../../ui/notices/banner.tsx";
import { AcceptedTerms } from "./accepted-terms.tsx";
import { checkNewPassword } from "./check-fields.ts";
import { rememberJoining } from "./join-intent.ts";
import { NewPasswordField } from "./new-password-field.tsx";
import { SignInProviders } from "./sign-in-providers.tsx";

export type Registered = Answers["invitations"]["register"];

type SignedOutProps = {
  of: Answers["invitations"]["read"];
  token: string;
  onRegistered: (joined: Registered) => void;
};

export function JoinSignedOut(props: SignedOutProps): JSX.Element {
  const here = () => `/join?token=${encodeURIComponent(props.token)}`;
  const intend = () => rememberJoining(props.token);
  return (
    <Switch fallback={<NewPerson {...props} here={here()} />}>
      <Match when={props.of.requiredProvider}>
        {(required) => (
          <>
            <p class="text-muted">Your organization manages how {props.of.email} signs in.</p>
            <SignInProviders only={required()} next={here()} onLeave={intend} />
          </>
        )}
      </Match>
      <Match when={props.of.hasAccount}>
        <SignInToJoin {...props} here={here()} label="Sign in to join" email={props.of.email} />
      </Match>
    </Switch>
  );
}

type SignInProps = SignedOutProps & { here: string; label: string; email?: string };

function SignInToJoin(props: SignInProps): JSX.Element {
  const navigate = useNavigate();
  const signIn = () => {
    rememberJoining(props.token);
    const state = props.email === undefined ? {} : { email: props.email };
    navigate(`/login?next=${encodeURIComponent(props.here)}`, { state });
  };
  return (
    <Button variant={props.email === undefined ? "ghost" : "primary"} wide onClick={signIn}>
      {props.label}
    </Button>
  );
}

function NewPerson(props: SignedOutProps & { here: string }): JSX.Element {
  const least = usePasswordMinLength();
  const config = useConfig();
  const form = createForm({
    initial: { name: "", password: "" },
    validate: ({ password }) => ({ password: checkNewPassword(password, least()) }),
    async submit({ name, password }) {
      const proof = { method: "password", password } as const;
      props.onRegistered(
        await api.invitations.register.mutate({ token: props.token, name: name.trim(), proof }),
      );
    },
  });
  return (
    <div>
      <FormFrame form={form} mayBeLost>
        <EmailField
          label="Email"
          name="email"
          autocomplete="username"
          value={props.of.email}
          onInput={() => undefined}
          readonly
        />
        <TextField
          {...form.field("name")}
          label="Your name"
          autocomplete="name"
          maxlength={nameCharsMax.person}
          optional
          autofocus
        />
        <NewPasswordField {...form.field("password")} label="Password" />
        <Show when={props.of.requiresFactor}>
          <Banner tone="info">
            {props.of.accountName} asks its members for a second factor. A passkey counts as one;
            with a password, you add it next.
          </Banner>
        </Show>
        <SubmitButton
          form={form}
          label={`Join ${props.of.accountName}`}
          pendingLabel="Joining…"
          wide
        />
      </FormFrame>
      <Show when={"PublicKeyCredential" in globalThis}>
        <PasskeyInstead {...props} name={form.values.name} />
      </Show>
      <Show when={config.data?.signInProviders.length}>
        <SignInProviders next={props.here} onLeave={() => rememberJoining(props.token)} />
      </Show>
      <AcceptedTerms />
      <div class="mt-3">
        <SignInToJoin {...props} label="Sign in with another address" />
      </div>
    </div>
  );
}

function PasskeyInstead(props: SignedOutProps & { name: string }): JSX.Element {
  const [declined, setDeclined] = createSignal(false);
  const register = useMutation(() => ({
    async mutationFn() {
      setDeclined(false);
      const { makePasskey, PasskeyDeclined } = await import("../../lib/passkeys/ask-passkey.ts");
      const { token } = props;
      try {
        const credential = await makePasskey(await api.invitations.beginPasskey.mutate({ token }));
        const proof = { method: "passkey", credential } as const;
        const name = props.name.trim();
        props.onRegistered(await api.invitations.register.mutate({ token, name, proof }));
      } catch (error) {
        if (!(error instanceof PasskeyDeclined)) throw error;
        setDeclined(true);
      }
    },
  }));
  return (
    <div class="mt-3 flex flex-col gap-3">
      <ErrorBanner error={register.error} />
      <Show when={declined()}>
        <Banner tone="danger" urgent>
          Your browser made no passkey. Try again, or choose a password.
        </Banner>
      </Show>
      <ChangeButton wide change={register} pendingLabel="Waiting for your browser…">
        Use a passkey instead
      </ChangeButton>
    </div>
  );
}
