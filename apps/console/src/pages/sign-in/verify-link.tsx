// Uses the verification link: by itself in the browser that signed up; elsewhere with the password chosen there or a new
// one, because the owner of the mailbox is not necessarily the person who signed up. Then continues into the console.
import { useNavigate } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createSignal, Match, onMount, Show, Switch } from "solid-js";
import { api } from "../../lib/api.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { usePasswordMinLength } from "../../lib/session.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { createForm } from "../../ui/forms/create-form.ts";
import { FormFrame, SubmitButton } from "../../ui/forms/form.tsx";
import { checkNewPassword, checkPassword } from "./check-fields.ts";
import type { EntryState } from "./entry-state.ts";
import { AskedPasswordField } from "./new-password-field.tsx";
import { useArrival } from "./use-arrival.ts";

type VerifyLinkProps = { token: string; onExpired: () => void };

export function VerifyLink(props: VerifyLinkProps): JSX.Element {
  const [way, setWay] = createSignal<"here" | "known" | "new">("here");
  return (
    <Switch>
      <Match when={way() === "here"}>
        <InThisBrowser {...props} onElsewhere={() => setWay("known")} />
      </Match>
      <Match when={way() === "known"}>
        <PasswordForm {...props} onForgotten={() => setWay("new")} />
      </Match>
      <Match when={way() === "new"}>
        <PasswordForm {...props} />
      </Match>
    </Switch>
  );
}

function InThisBrowser(props: VerifyLinkProps & { onElsewhere: () => void }): JSX.Element {
  const navigate = useNavigate();
  const arrive = useArrival();
  onMount(async () => {
    try {
      const { status, email } = await api.auth.verifyHere.mutate({ token: props.token });
      if (status === "password_needed") return props.onElsewhere();
      await arrive();
      if (status === "verified") navigate(await pathAfterProof(), { replace: true });
      else navigate("/login", { replace: true, state: { email, notice: "already" } });
    } catch (error) {
      // The form says what is wrong, and can be tried again.
      if (readFailure(error).code === "token_expired") props.onExpired();
      else props.onElsewhere();
    }
  });
  return (
    <p role="status" class="text-muted">
      Verifying your email…
    </p>
  );
}

type PasswordFormProps = VerifyLinkProps & {
  /** Without it, a new password is set. */
  onForgotten?: () => void;
};

function PasswordForm(props: PasswordFormProps): JSX.Element {
  const enter = useEnter(() => props.onExpired());
  const least = usePasswordMinLength();
  const isNew = props.onForgotten === undefined;
  const { verifyEmail, verifyWithNewPassword } = api.auth;
  const verify = isNew ? verifyWithNewPassword : verifyEmail;
  const form = createForm({
    initial: { password: "" },
    validate: ({ password }) => ({
      password: isNew ? checkNewPassword(password, least()) : checkPassword(password),
    }),
    submit: ({ password }) =>
      enter(password, () => verify.mutate({ token: props.token, password })),
  });
  return (
    <FormFrame form={form} mayBeLost>
      <p class="text-muted">
        {isNew
          ? "Set a new password. Any earlier password for this account stops working."
          : "Enter your password to finish verifying your email."}
      </p>
      <AskedPasswordField {...form.field("password")} isNew={isNew} />
      <SubmitButton
        form={form}
        label={isNew ? "Set password and verify" : "Verify email"}
        pendingLabel="Verifying your email…"
        wide
      />
      <Show when={props.onForgotten}>
        {(forgotten) => (
          <Button variant="ghost" wide onClick={forgotten()}>
            Forgot password?
          </Button>
        )}
      </Show>
    </FormFrame>
  );
}

type Verified = Awaited<ReturnType<typeof api.auth.verifyEmail.mutate>>;

/** Verifies and signs in with the same password; if that fails, the sign-in page explains why. */
function useEnter(onExpired: () => void) {
  const navigate = useNavigate();
  const arrive = useArrival();
  const toSignIn = (state: EntryState) => navigate("/login", { replace: true, state });
  return async (password: string, verify: () => Promise<Verified>): Promise<void> => {
    const { status, email } = await verify().catch((error: unknown) => {
      if (readFailure(error).code === "token_expired") onExpired();
      throw error;
    });
    if (status !== "verified") return toSignIn({ email, notice: "already" });
    try {
      await api.auth.login.mutate({ email, password });
      await arrive();
      navigate(await pathAfterProof(), { replace: true });
    } catch {
      // The address is verified regardless.
      toSignIn({ email, notice: "verified" });
    }
  };
}

/** Where to go after an address was proven: to an invitation to it, if there is one. */
async function pathAfterProof(): Promise<string> {
  const open = await api.invitations.own.query().catch(() => []);
  return open.length > 0 ? "/join" : "/";
}
