// Changes the email address: with the password, and a link sent to the new address.
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { isEmail } from "../../lib/is-email.ts";
import { withPassword } from "../../lib/step-up/step-up-link.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { createForm } from "../../ui/create-form.ts";
import { FormFrame } from "../../ui/form.tsx";
import { EmailField, PasswordField } from "../../ui/text-field.tsx";
import { t } from "./texts.ts";

export function EmailCard(props: { email: string }): JSX.Element {
  const [sentTo, setSentTo] = createSignal<string>();
  const form = createForm({
    initial: { newEmail: "", password: "" },
    draft: "new-email",
    validate: ({ newEmail, password }) => ({
      newEmail: checkAddress(newEmail.trim()),
      password: password === "" ? t("profile.passwordMissing") : undefined,
    }),
    async submit({ newEmail, password }) {
      const input = { newEmail: newEmail.trim(), password };
      await api.profile.changeEmail.mutate(input, withPassword(password));
      setSentTo(newEmail.trim());
      form.reset({ newEmail: "", password: "" });
    },
  });
  return (
    <Card
      title={t("profile.emailTitle")}
      description={
        <span class="wrap-anywhere">{t("profile.emailNow", { email: props.email })}</span>
      }
    >
      <FormFrame form={form}>
        <Show when={sentTo()}>
          {(email) => (
            <Banner tone="success" urgent>
              <span class="wrap-anywhere">{t("profile.emailSent", { email: email() })}</span>
            </Banner>
          )}
        </Show>
        <EmailField {...form.field("newEmail")} label={t("profile.newEmail")} />
        <PasswordField
          {...form.field("password")}
          label={t("profile.password")}
          autocomplete="current-password"
        />
        <div>
          <Button type="submit" pending={form.pending()} pendingLabel={t("profile.changing")}>
            {t("profile.changeEmail")}
          </Button>
        </div>
      </FormFrame>
    </Card>
  );
}

function checkAddress(email: string): string | undefined {
  if (email === "") return t("profile.emailMissing");
  return isEmail(email) ? undefined : t("profile.emailWrong");
}
