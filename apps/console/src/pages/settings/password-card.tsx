// Changes the password, which ends all other sessions.
import { useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { useMe, usePasswordMinLength } from "../../lib/session.ts";
import { withPassword } from "../../lib/step-up/step-up-link.ts";
import { Banner } from "../../ui/banner.tsx";
import { Card } from "../../ui/card.tsx";
import { createForm } from "../../ui/create-form.ts";
import { FormFrame, SubmitButton, UsernameHint } from "../../ui/form.tsx";
import { PasswordField } from "../../ui/text-field.tsx";
import { sessionsKey } from "./sessions-card.tsx";
import { t } from "./texts.ts";

export function PasswordCard(): JSX.Element {
  const client = useQueryClient();
  const me = useMe();
  const [done, setDone] = createSignal(false);
  const least = usePasswordMinLength();
  const form = createForm({
    initial: { currentPassword: "", newPassword: "" },
    validate: ({ currentPassword, newPassword }) => ({
      currentPassword: currentPassword === "" ? t("password.currentMissing") : undefined,
      newPassword:
        [...newPassword.normalize("NFC")].length < least()
          ? t("password.short", { least: least() })
          : undefined,
    }),
    // The field's name in step-up.
    fieldOf: { password: "currentPassword" },
    async submit(values) {
      setDone(false);
      await api.profile.changePassword.mutate(values, withPassword(values.currentPassword));
      setDone(true);
      form.reset({ currentPassword: "", newPassword: "" });
      await client.invalidateQueries({ queryKey: sessionsKey });
    },
  });
  return (
    <Card title={t("password.title")} description={t("password.description")}>
      <FormFrame form={form}>
        <Show when={done()}>
          <Banner tone="success" urgent>
            {t("password.done")}
          </Banner>
        </Show>
        <UsernameHint email={me.data?.person.email} />
        <PasswordField
          {...form.field("currentPassword")}
          label={t("password.current")}
          autocomplete="current-password"
        />
        <PasswordField
          {...form.field("newPassword")}
          label={t("password.next")}
          autocomplete="new-password"
          hint={t("password.hint", { least: least() })}
        />
        <div>
          <SubmitButton form={form} pendingLabel={t("password.submitting")}>
            {t("password.submit")}
          </SubmitButton>
        </div>
      </FormFrame>
    </Card>
  );
}
