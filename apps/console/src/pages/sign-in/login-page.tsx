// How do I get in? The frame decides where to go afterwards, always within this console.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createEffect, createSignal, lazy, Match, on, Show, Suspense, Switch } from "solid-js";
import { api } from "../../lib/api.ts";
import { describeFailure } from "../../lib/describe-failure.ts";
import { formatWait } from "../../lib/format.ts";
import { createForm } from "../../ui/forms/create-form.ts";
import { FormFrame, SubmitButton } from "../../ui/forms/form.tsx";
import { EmailField, PasswordField } from "../../ui/forms/text-field.tsx";
import { Banner } from "../../ui/notices/banner.tsx";
import { Reference } from "../../ui/states/states.tsx";
import { checkEmail, checkPassword } from "./check-fields.ts";
import { createCountdown } from "./create-countdown.ts";
import { type EntryState, useEntryState } from "./entry-state.ts";
import { type AskedFactor, takeAskedFactor } from "./read-asked-factor.ts";
import { ResendLink, UnlockOffer } from "./send-link.tsx";
import { RefusedSignIn, SignInProviders } from "./sign-in-providers.tsx";
import { useArrival } from "./use-arrival.ts";

const PasskeySignIn = lazy(() => import("./passkey-sign-in.tsx"));
const FactorForm = lazy(() => import("./factor-form.tsx"));

export default function LoginPage(): JSX.Element {
  const [asked, setAsked] = createSignal(takeAskedFactor());
  return (
    <Show when={asked()} fallback={<PasswordStep onAsked={setAsked} />}>
      {(factor) => (
        <Suspense>
          <FactorForm asked={factor()} onBack={() => setAsked(undefined)} />
        </Suspense>
      )}
    </Show>
  );
}

function PasswordStep(props: { onAsked: (asked: AskedFactor) => void }): JSX.Element {
  const entry = useEntryState();
  const arrive = useArrival();
  const wait = createCountdown();
  const form = createForm({
    initial: { email: entry.email ?? "", password: "" },
    validate: ({ email, password }) => ({
      email: checkEmail(email),
      password: checkPassword(password),
    }),
    async submit({ email, password }) {
      const { factor } = await api.auth.login.mutate({ email: email.trim(), password });
      if (factor === undefined) await arrive();
      else props.onAsked(factor);
    },
  });
  createEffect(
    on(form.failure, (failure) => {
      if (failure?.retryAfterMs !== undefined) wait.start(Math.ceil(failure.retryAfterMs / 1000));
    }),
  );
  return (
    <>
      <RefusedSignIn />
      <FormFrame form={form} mayBeLost hideFailure>
        <Switch fallback={<Notice entry={entry} />}>
          <Match when={form.failure()?.code === "throttled"}>
            <Show when={wait.left() > 0}>
              <Banner tone="warning" urgent>
                Too many attempts. Try again in {formatWait(wait.left())}.
              </Banner>
            </Show>
            <UnlockOffer email={form.values.email.trim()} />
          </Match>
          <Match when={form.failure()}>
            {(failure) => (
              <Banner tone="danger" urgent>
                {describeFailure(failure())} <Reference id={referenceOf(failure())} />
              </Banner>
            )}
          </Match>
        </Switch>
        <Show when={form.failure()?.code === "email_not_verified"}>
          <ResendLink email={form.values.email.trim()} label="Send the link again" />
        </Show>
        <EmailField
          {...form.field("email")}
          label="Email"
          autocomplete="username webauthn"
          autofocus={entry.email === undefined}
        />
        <PasswordField
          {...form.field("password")}
          label="Password"
          autocomplete="current-password"
          autofocus={entry.email !== undefined}
        />
        <SubmitButton form={form} label="Sign in" pendingLabel="Signing in…" wide />
      </FormFrame>
      <Show when={"PublicKeyCredential" in globalThis}>
        <Suspense>
          <PasskeySignIn />
        </Suspense>
      </Show>
      <SignInProviders />
      <div class="mt-6 flex flex-wrap justify-between gap-x-6 gap-y-2 text-muted">
        <A href="/forgot-password" class="link">
          Forgot password?
        </A>
        <span>
          New here?{" "}
          <A href="/register" class="link">
            Create an account
          </A>
        </span>
      </div>
    </>
  );
}

/** A reference helps with unexpected errors; a wrong password needs none. */
function referenceOf({ code, requestId }: { code: string; requestId: string | undefined }) {
  return code === "internal_error" ? requestId : undefined;
}

const noticeTexts = {
  verified: "Email verified. You can sign in now.",
  already: "This address is already verified. You can sign in.",
  reset: "Password changed, and all sessions were signed out. Sign in with the new password.",
  resetKeys:
    "Password changed, all sessions signed out and all API keys revoked. Sign in with the new password.",
  unlocked: "Browser unlocked. Sign in.",
} as const satisfies Record<NonNullable<EntryState["notice"]>, string>;

function Notice(props: { entry: EntryState }): JSX.Element {
  return (
    <Switch>
      <Match when={props.entry.notice}>
        {(notice) => <Banner tone="success">{noticeTexts[notice()]}</Banner>}
      </Match>
      <Match when={props.entry.expired}>
        <Banner tone="info">Your session expired. Sign in to continue where you left off.</Banner>
      </Match>
    </Switch>
  );
}
