// Changes the email address: with the password, and a link sent to the new address.
import type { JSX } from "solid-js";
import { createSignal, Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { isEmail } from "../../lib/is-email.ts";
import { withPassword } from "../../lib/step-up/step-up-link.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { createForm } from "../../ui/forms/create-form.ts";
import { FormFrame } from "../../ui/forms/form.tsx";
import { EmailField, PasswordField } from "../../ui/forms/text-field.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Banner } from "../../ui/notices/banner.tsx";

export function EmailCard(props: { email: string }): JSX.Element {
  const [sentTo, setSentTo] = createSignal<string>();
  const form = createForm({
    initial: { newEmail: "", password: "" },
    draft: "new-email",
    validate: ({ newEmail, password }) => ({
      newEmail: checkAddress(newEmail.trim()),
      password: password === "" ? "Enter your password." : undefined,
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
      title="Email address"
      description={<span class="wrap-anywhere">You sign in with {props.email}.</span>}
    >
      <FormFrame form={form}>
        <Show when={sentTo()}>
          {(email) => (
            <Banner tone="success" urgent>
              <span class="wrap-anywhere">
                We sent a link to {email()}. Your address changes once you confirm it there; until
                then you sign in with the old one, which we have notified and which can undo the
                change for 72 hours.
              </span>
            </Banner>
          )}
        </Show>
        <EmailField {...form.field("newEmail")} label="New email" />
        <PasswordField
          {...form.field("password")}
          label="Your password"
          autocomplete="current-password"
        />
        <div>
          <Button type="submit" pending={form.pending()} pendingLabel="Sending…">
            Send confirmation link
          </Button>
        </div>
      </FormFrame>
    </Card>
  );
}

function checkAddress(email: string): string | undefined {
  if (email === "") return "Enter the new address.";
  return isEmail(email) ? undefined : "Enter a valid email address.";
}
