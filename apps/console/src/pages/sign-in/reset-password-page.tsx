// Opened from the reset email: sets a new password and ends every session.
import { useNavigate, useSearchParams } from "@solidjs/router";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { usePasswordMinLength } from "../../lib/session.ts";
import { Banner } from "../../ui/banner.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/choices.tsx";
import { createForm } from "../../ui/create-form.ts";
import { FormFrame, SubmitButton } from "../../ui/form.tsx";
import { checkNewPassword } from "./check-fields.ts";
import { NewPasswordField } from "./new-password-field.tsx";
import { useArrival } from "./use-arrival.ts";

export default function ResetPasswordPage(): JSX.Element {
  const [query] = useSearchParams<{ token?: string }>();
  const navigate = useNavigate();
  const arrive = useArrival();
  const least = usePasswordMinLength();
  const form = createForm({
    initial: { password: "", revokeKeys: true },
    validate: ({ password }) => ({ password: checkNewPassword(password, least()) }),
    async submit({ password, revokeKeys }) {
      const token = query.token ?? "";
      await api.auth.resetPassword.mutate({ token, password, revokeKeys });
      // This browser's session ended along with all others.
      await arrive();
      navigate("/login", { replace: true, state: { notice: revokeKeys ? "resetKeys" : "reset" } });
    },
  });
  const dead = () => !query.token || form.failure()?.code === "token_expired";
  return (
    <Show
      when={!dead()}
      fallback={
        <div class="flex flex-col gap-5">
          <Banner tone="warning" urgent>
            This link has expired or was already used.
          </Banner>
          <p class="text-muted">
            Password reset links work once, for 30 minutes, and only the newest one is valid.
          </p>
          <ButtonLink href="/forgot-password" variant="primary" wide>
            Send a new link
          </ButtonLink>
        </div>
      }
    >
      <FormFrame form={form} mayBeLost>
        <p class="text-muted">You'll be signed out everywhere.</p>
        <NewPasswordField {...form.field("password")} label="New password" autofocus />
        <Checkbox
          label="Also revoke all API keys"
          hint="Leave this on if someone else may have used your account. Applications that use these keys stop working immediately."
          name="revokeKeys"
          checked={form.values.revokeKeys}
          onChange={(checked) => form.set("revokeKeys", checked)}
        />
        <SubmitButton form={form} pendingLabel="Changing…" wide>
          Change password
        </SubmitButton>
      </FormFrame>
    </Show>
  );
}
