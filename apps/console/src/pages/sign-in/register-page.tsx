// Signing up: an address and a password. The answer is the same whether the address was known.
import { A, useNavigate } from "@solidjs/router";
import type { JSX } from "solid-js";
import { api } from "../../lib/api.ts";
import { useConfig } from "../../lib/session.ts";
import { Button } from "../../ui/button.tsx";
import { createForm } from "../../ui/create-form.ts";
import { FormFrame } from "../../ui/form.tsx";
import { PasswordField, TextField } from "../../ui/text-field.tsx";
import { checkEmail, checkNewPassword, describeStrength } from "./check-fields.ts";
import { useEntryState } from "./entry-state.ts";
import { t } from "./texts.ts";

const passwordCharactersLeast = 12;

export default function RegisterPage(): JSX.Element {
  const navigate = useNavigate();
  const config = useConfig();
  const least = () => config.data?.passwordMinLength ?? passwordCharactersLeast;
  const form = createForm({
    initial: { email: useEntryState().email ?? "", password: "" },
    validate: ({ email, password }) => ({
      email: checkEmail(email),
      password: checkNewPassword(password, least()),
    }),
    async submit({ email, password }) {
      await api.auth.register.mutate({ email: email.trim(), password });
      navigate("/verify-email", { state: { email: email.trim() } });
    },
  });
  return (
    <>
      <FormFrame form={form}>
        <TextField
          {...form.field("email")}
          label={t("field.email")}
          type="email"
          autocomplete="email"
          inputmode="email"
          autocapitalize="none"
          spellcheck={false}
          autofocus
        />
        <PasswordField
          {...form.field("password")}
          label={t("field.password")}
          autocomplete="new-password"
          hint={<span aria-live="polite">{describeStrength(form.values.password, least())}</span>}
        />
        <Button
          type="submit"
          variant="primary"
          wide
          pending={form.pending()}
          pendingLabel={t("register.submitting")}
        >
          {t("register.submit")}
        </Button>
      </FormFrame>
      <p class="mt-6 text-center text-muted">
        {t("register.known")}{" "}
        <A href="/login" class="link">
          {t("register.login")}
        </A>
      </p>
    </>
  );
}
