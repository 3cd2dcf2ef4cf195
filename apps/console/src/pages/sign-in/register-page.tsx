// Signing up: an address and a password. The answer is the same whether or not the address is known.
import { A, useNavigate } from "@solidjs/router";
import type { JSX } from "solid-js";
import { api } from "../../lib/api.ts";
import { usePasswordMinLength } from "../../lib/session.ts";
import { createForm } from "../../ui/forms/create-form.ts";
import { FormFrame, SubmitButton } from "../../ui/forms/form.tsx";
import { EmailField } from "../../ui/forms/text-field.tsx";
import { AcceptedTerms } from "./accepted-terms.tsx";
import { checkEmail, checkNewPassword } from "./check-fields.ts";
import { useEntryState } from "./entry-state.ts";
import { NewPasswordField } from "./new-password-field.tsx";
import { SignInProviders } from "./sign-in-providers.tsx";

export default function RegisterPage(): JSX.Element {
  const navigate = useNavigate();
  const least = usePasswordMinLength();
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
      <FormFrame form={form} mayBeLost>
        <EmailField {...form.field("email")} label="Email" autocomplete="username" autofocus />
        <NewPasswordField {...form.field("password")} label="Password" />
        <SubmitButton form={form} label="Create account" pendingLabel="Creating…" wide />
      </FormFrame>
      <SignInProviders />
      <AcceptedTerms />
      <p class="mt-6 text-center text-muted">
        Already have an account?{" "}
        <A href="/login" class="link">
          Sign in
        </A>
      </p>
    </>
  );
}
