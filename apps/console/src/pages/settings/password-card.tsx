// Changes the password, which ends all other sessions.
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { useMe, usePasswordMinLength } from "../../lib/session.ts";
import { withPassword } from "../../lib/step-up/step-up-link.ts";
import { createForm } from "../../ui/forms/create-form.ts";
import { FormFrame, SubmitButton, UsernameHint } from "../../ui/forms/form.tsx";
import { PasswordField } from "../../ui/forms/text-field.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Banner } from "../../ui/notices/banner.tsx";
import { sessionsKey } from "./sessions-card.tsx";

export function PasswordCard(): JSX.Element {
  const me = useMe();
  const [done, setDone] = createSignal(false);
  const least = usePasswordMinLength();
  const form = createForm({
    initial: { currentPassword: "", newPassword: "" },
    validate: ({ currentPassword, newPassword }) => ({
      currentPassword: currentPassword === "" ? "Enter your current password." : undefined,
      newPassword:
        [...newPassword.normalize("NFC")].length < least()
          ? `Use at least ${least()} characters.`
          : undefined,
    }),
    // The field's name in step-up.
    fieldOf: { password: "currentPassword" },
    async submit(values) {
      setDone(false);
      await api.profile.changePassword.mutate(values, withPassword(values.currentPassword));
      setDone(true);
      form.reset({ currentPassword: "", newPassword: "" });
    },
    refreshes: sessionsKey,
  });
  return (
    <Card title="Password" description="Changing it signs out all other sessions.">
      <FormFrame form={form}>
        <Show when={done()}>
          <Banner tone="success" urgent>
            Password changed. All other sessions were signed out.
          </Banner>
        </Show>
        <UsernameHint email={me.data?.person.email} />
        <PasswordField
          {...form.field("currentPassword")}
          label="Current password"
          autocomplete="current-password"
        />
        <PasswordField
          {...form.field("newPassword")}
          label="New password"
          autocomplete="new-password"
          hint={`At least ${least()} characters`}
        />
        <SubmitButton form={form} label="Change password" pendingLabel="Changing…" />
      </FormFrame>
    </Card>
  );
}
