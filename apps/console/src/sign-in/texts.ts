// The words of the sign-in group.
import { createTexts } from "../texts/create-texts.ts";

const field = {
  email: "E-mail",
  password: "Password",
  newPassword: "New password",
  emailMissing: "Enter your e-mail address.",
  emailWrong: "This does not look like an e-mail address.",
  passwordMissing: "Enter your password.",
  passwordShort: "Use at least {least} characters.",
} as const;

const strength = {
  rule: "At least {least} characters. A few unrelated words work well.",
  more: { one: "{count} more character.", other: "{count} more characters." },
  good: "Long enough.",
  strong: "Long and strong.",
} as const;

const login = {
  submit: "Sign in",
  submitting: "Signing in…",
  forgot: "Forgot password?",
  newHere: "New here?",
  register: "Create an account",
  resend: "Send the link again",
  resent: "Sent to {email}. Look into your mailbox.",
  expired: "Your session ended. Sign in to go on where you were.",
  verified: "E-mail verified. You can sign in now.",
  already: "This address is already verified. You can sign in.",
  reset: "Password changed, and every session was signed out. Sign in with the new one.",
  emailChanged: "Your e-mail is now {email}. Sign in with it.",
} as const;

const register = {
  submit: "Create account",
  submitting: "Creating…",
  known: "Already have an account?",
  login: "Sign in",
} as const;

const check = {
  title: "Check your e-mail",
  sent: "We sent a link to {email}. It works for 24 hours.",
  spam: "Nothing there after a minute? Look into the spam folder.",
  again: "Send again",
  againIn: "Send again in {seconds} s",
  sending: "Sending…",
  sentAgain: "Sent again.",
  other: "Use another address",
  mailbox: "Open the development mailbox",
} as const;

const verify = {
  working: "Verifying your e-mail…",
  intro: "We will send a new link to the address you signed up with.",
  expired: "This link has expired.",
  expiredHint: "Links work for 24 hours, and only the newest one counts.",
  sendNew: "Send a new link",
} as const;

const forgot = {
  intro: "We will send you a link to choose a new password.",
  submit: "Send link",
  submitting: "Sending…",
  sent: "If an account exists, a link is on its way.",
  sentHint: "It goes to {email} and works for one hour. Look into the spam folder too.",
  back: "Back to sign in",
} as const;

const reset = {
  intro: "This signs out every session of yours.",
  submit: "Change password",
  submitting: "Changing…",
  expired: "This link has expired.",
  expiredHint: "Links to choose a new password work for one hour, once.",
  again: "Send a new link",
} as const;

const confirm = {
  working: "Confirming your new e-mail…",
  done: "Your e-mail is now {email}.",
  expired: "This link has expired.",
  expiredHint: "Nothing was changed. You can ask for a new link in your settings.",
  settings: "Open settings",
} as const;

export const t = createTexts({
  field,
  strength,
  login,
  register,
  check,
  verify,
  forgot,
  reset,
  confirm,
});
