// Opened from the link to a new address: with the account's password, the new address takes effect.
import { useSearchParams } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createSignal, Match, Switch } from "solid-js";
import { api } from "../../lib/api.ts";
import { Banner } from "../../ui/banner.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { createForm } from "../../ui/create-form.ts";
import { checkPassword } from "./check-fields.ts";
import { PasswordForm } from "./password-form.tsx";
import { useArrival } from "./use-arrival.ts";

export default function ConfirmEmailPage(): JSX.Element {
  const [query] = useSearchParams<{ token?: string }>();
  const [movedTo, setMovedTo] = createSignal<string>();
  const arrive = useArrival();
  const form = createForm({
    initial: { password: "" },
    validate: ({ password }) => ({ password: checkPassword(password) }),
    async submit({ password }) {
      const token = query.token || "missing";
      const { email } = await api.auth.confirmEmailChange.mutate({ token, password });
      await arrive();
      setMovedTo(email);
    },
  });
  const dead = () => !query.token || form.failure()?.code === "token_expired";
  return (
    <div class="flex flex-col gap-5">
      <Switch
        fallback={
          <PasswordForm
            form={form}
            intro="Enter your password to confirm."
            submit="Confirm email"
            submitting="Confirming your new email…"
          />
        }
      >
        <Match when={movedTo()}>
          {(email) => (
            <>
              <Banner tone="success" urgent>
                <span class="wrap-anywhere">
                  Your email address is now {email()}. All other sessions were signed out.
                </span>
              </Banner>
              <ButtonLink href="/settings/profile" variant="primary" wide>
                Open settings
              </ButtonLink>
            </>
          )}
        </Match>
        <Match when={dead()}>
          <Banner tone="warning" urgent>
            This link has expired or was already used.
          </Banner>
          <p class="text-muted">
            Nothing was changed. You can ask for a new link in your settings.
          </p>
          <ButtonLink href="/settings/profile" wide>
            Open settings
          </ButtonLink>
        </Match>
      </Switch>
    </div>
  );
}
