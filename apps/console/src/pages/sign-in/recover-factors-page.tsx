// Opened from the emails about lost second factors: cancels the recovery, or completes it after its delay.
import { useNavigate, useSearchParams } from "@solidjs/router";
import { useMutation } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { Match, Show, Switch } from "solid-js";
import { api } from "../../lib/api.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { createForm } from "../../ui/create-form.ts";
import { checkPassword } from "./check-fields.ts";
import { LinkFailure } from "./link-failure.tsx";
import { PasswordForm } from "./password-form.tsx";

export default function RecoverFactorsPage(): JSX.Element {
  const [query] = useSearchParams<{ cancel?: string; finish?: string }>();
  return (
    <Show when={query.finish} fallback={<Cancel token={query.cancel || "missing"} />}>
      {(token) => <Finish token={token()} />}
    </Show>
  );
}

function Cancel(props: { token: string }): JSX.Element {
  const cancel = useMutation(() => ({
    mutationFn: () => api.auth.cancelRecovery.mutate({ token: props.token }),
  }));
  return (
    <div class="flex flex-col gap-5">
      <Switch
        fallback={
          <>
            <p>
              Someone who knows your password says that your second factor is lost. If that was not
              you, cancel it and choose a new password.
            </p>
            <Button
              variant="primary"
              wide
              changes
              pending={cancel.isPending}
              pendingLabel="Canceling…"
              onClick={() => cancel.mutate()}
            >
              Keep my second factors
            </Button>
          </>
        }
      >
        <Match when={cancel.data}>
          <Banner tone="success" urgent>
            Canceled: your second factors stay. If you did not ask for it, change your password.
          </Banner>
          <ButtonLink href="/forgot-password" wide>
            Choose a new password
          </ButtonLink>
        </Match>
        <Match when={cancel.isError}>
          <LinkFailure error={cancel.error} onRetry={() => cancel.mutate()}>
            <p class="text-muted">
              Links to recover work once, until the date in the email, and not after it was
              canceled.
            </p>
            <ButtonLink href="/login" wide>
              Sign in
            </ButtonLink>
          </LinkFailure>
        </Match>
      </Switch>
    </div>
  );
}

function Finish(props: { token: string }): JSX.Element {
  const navigate = useNavigate();
  const form = createForm({
    initial: { password: "" },
    validate: ({ password }) => ({ password: checkPassword(password) }),
    async submit({ password }) {
      const { email } = await api.auth.finishRecovery.mutate({ token: props.token, password });
      navigate("/login", { replace: true, state: { email } });
    },
  });
  return (
    <PasswordForm
      form={form}
      intro="Enter your password to remove all second factors and recovery codes. You are signed out everywhere and sign in with your password alone; then add a new factor."
      submit="Remove my second factors"
      submitting="Removing…"
    />
  );
}
