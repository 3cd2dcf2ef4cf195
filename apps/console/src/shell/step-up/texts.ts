// Texts of the password prompt.
import { createTexts } from "../../lib/create-texts.ts";

const dialog = {
  title: "Confirm it's you",
  description: "For your security, prove it again. We won't ask for ten minutes.",
  password: "Your password",
  usePasskey: "Use your passkey",
  useProvider: "Sign in again with {name}",
  usePassword: "Use your password",
  missing: "Enter your password.",
  submit: "Continue",
  submitting: "Checking…",
} as const;

export const t = createTexts({ dialog });
