// Texts of the sign-in group.
import { createTexts } from "../../lib/create-texts.ts";

const field = {
  email: "Email",
  password: "Password",
  newPassword: "New password",
  emailMissing: "Enter your email address.",
  emailWrong: "Enter a valid email address.",
  passwordMissing: "Enter your password.",
  passwordShort: "Use at least {least} characters.",
} as const;

const strength = {
  rule: "At least {least} characters",
  more: { one: "{count} more character.", other: "{count} more characters." },
  good: "Long enough.",
  strong: "Strong",
} as const;

const login = {
  submit: "Sign in",
  submitting: "Signing in…",
  forgot: "Forgot password?",
  newHere: "New here?",
  register: "Create an account",
  resend: "Send the link again",
  resent: "Sent to {email}. Check your inbox.",
  expired: "Your session expired. Sign in to continue where you left off.",
  verified: "Email verified. You can sign in now.",
  already: "This address is already verified. You can sign in.",
  reset: "Password changed, and all sessions were signed out. Sign in with the new password.",
  resetKeys:
    "Password changed, all sessions signed out and all API keys revoked. Sign in with the new password.",
  unlocked: "Browser unlocked. Sign in.",
} as const;

const register = {
  submit: "Create account",
  submitting: "Creating…",
  known: "Already have an account?",
  login: "Sign in",
} as const;

const check = {
  title: "Check your email",
  sent: "We sent a link to {email}. It works for 24 hours.",
  spam: "Nothing there after a minute? Check your spam folder.",
  again: "Send again",
  againIn: "Send again in {seconds} s",
  sending: "Sending…",
  sentAgain: "Sent again.",
  other: "Use a different email",
  mailbox: "Open dev inbox",
} as const;

/** The same text for every emailed link. */
const link = { expired: "This link has expired or was already used." } as const;

const verify = {
  intro: "Enter your password to finish verifying your email.",
  submit: "Verify email",
  submitting: "Verifying your email…",
  choose: "Forgot password?",
  chooseIntro: "Set a new password. Any earlier password for this account stops working.",
  chooseSubmit: "Set password and verify",
  askIntro: "We will send a new link to the address you signed up with.",
  expiredHint: "Links work for 24 hours, and only the newest one is valid.",
  sendNew: "Send a new link",
} as const;

const forgot = {
  intro: "We will send you a link to choose a new password.",
  submit: "Send link",
  submitting: "Sending…",
  sent: "If an account exists, a link is on its way.",
  sentHint: "It goes to {email} and works for 30 minutes. Check your spam folder too.",
  back: "Back to sign in",
} as const;

const reset = {
  intro: "You'll be signed out everywhere.",
  revokeKeys: "Also revoke all API keys",
  revokeKeysHint:
    "Leave this on if someone else may have used your account. Applications that use these keys stop working immediately.",
  submit: "Change password",
  submitting: "Changing…",
  expiredHint: "Password reset links work once, for 30 minutes, and only the newest one is valid.",
  again: "Send a new link",
} as const;

const confirm = {
  intro: "Enter your password to confirm.",
  submit: "Confirm email",
  submitting: "Confirming your new email…",
  done: "Your email address is now {email}. All other sessions were signed out.",
  expiredHint: "Nothing was changed. You can ask for a new link in your settings.",
  settings: "Open settings",
} as const;

const undo = {
  intro:
    "Undo the change of your password or email address if you did not make it. This keeps or restores your address, signs out every session, and asks you to choose a new password.",
  submit: "Undo the change",
  submitting: "Undoing…",
  done: "Undone. {email} is the address of your account.",
  next: "We sent you a link to choose a new password. Until you do, nobody can sign in.",
  expiredHint:
    "Links to undo a change work once, for 72 hours. If you already used this one, choose a new password to get back in.",
  reset: "Choose a new password",
} as const;

const unlock = {
  intro:
    "Afterwards you can sign in with your password in this browser, even if others have tried too often. Continue only if you requested this or cannot sign in.",
  submit: "Unlock this browser",
  submitting: "Unlocking…",
  expiredHint:
    "Links to unlock a browser work once, for 24 hours, and only the newest one is valid.",
  signIn: "Go to sign in",
  offer: "Locked out? We can email you an unlock link.",
  send: "Email me a link",
  sent: "If an account exists, a link is on its way. It works for 24 hours.",
} as const;

const join = {
  what: "the invitation",
  intro: "{inviter} invites you to join {account} as {role}.",
  submit: "Join {account}",
  joining: "Joining…",
  other:
    "The invitation was sent to {invited}; you are signed in as {email}. An admin has to confirm you.",
  ask: "Ask to join as {email}",
  asked: "We told {inviter}. You get an email once you are a member.",
  signIn: "Sign in to join",
  newHere: "New here?",
  register: "Create an account",
  registerHint: "and open the link of the invitation again.",
  expired: "This invitation has expired, was revoked, or has already been used. Ask for a new one.",
} as const;

const factor = {
  intro: "Your account also asks for a second factor.",
  back: "Start again",
  passkeySignIn: "Use a passkey",
  usePasskey: "Use your passkey",
  lost: "I lost my second factor and my recovery codes",
  lostDone:
    "We sent you an email. After a delay, from {at}, another one lets you remove your second factors. You can cancel it until then; signing in with a factor cancels it too.",
} as const;

export const t = createTexts({
  factor,
  join,
  link,
  undo,
  unlock,
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
