// The words of the sign-in group.
import { createTexts } from "../../lib/create-texts.ts";

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
  resetKeys:
    "Password changed, every session signed out and every API key revoked. Sign in with the new one.",
  unlocked: "This browser is unlocked. Sign in with your password.",
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

/** The same words for every link from a mail. */
const link = { expired: "This link has expired." } as const;

const verify = {
  intro: "Enter the password you chose when you signed up. It proves that it was you.",
  submit: "Verify e-mail",
  submitting: "Verifying your e-mail…",
  choose: "I did not choose one, or forgot it",
  chooseIntro:
    "Choose a password. If somebody else signed up with your address, theirs stops working.",
  chooseSubmit: "Set password and verify",
  askIntro: "We will send a new link to the address you signed up with.",
  expiredHint: "Links work for 24 hours, and only the newest one counts.",
  sendNew: "Send a new link",
} as const;

const forgot = {
  intro: "We will send you a link to choose a new password.",
  submit: "Send link",
  submitting: "Sending…",
  sent: "If an account exists, a link is on its way.",
  sentHint: "It goes to {email} and works for 30 minutes. Look into the spam folder too.",
  back: "Back to sign in",
} as const;

const reset = {
  intro: "This signs out every session of yours.",
  revokeKeys: "Also revoke all API keys",
  revokeKeysHint:
    "Choose this if somebody else may have used your account. Applications that use these keys stop working at once.",
  submit: "Change password",
  submitting: "Changing…",
  expiredHint: "Links to choose a new password work for 30 minutes, once, and only the newest one.",
  again: "Send a new link",
} as const;

const confirm = {
  intro: "Enter the password of your account to use this address for it.",
  submit: "Confirm e-mail",
  submitting: "Confirming your new e-mail…",
  done: "Your e-mail is now {email}. Every other session was signed out.",
  expiredHint: "Nothing was changed. You can ask for a new link in your settings.",
  settings: "Open settings",
} as const;

const undo = {
  intro:
    "Undo the change of your password or e-mail address if you did not make it. This keeps or restores your address, signs out every session, and asks you to choose a new password.",
  submit: "Undo the change",
  submitting: "Undoing…",
  done: "Undone. {email} is the address of your account.",
  next: "We sent you a link to choose a new password. Until then nobody can sign in.",
  expiredHint:
    "Links to undo a change work for 72 hours, once. If you used it before, choose a new password to get back in.",
  reset: "Choose a new password",
} as const;

const unlock = {
  intro:
    "After this you can sign in with your password in this browser, whatever others have tried. Only go on if you asked for it or cannot sign in.",
  submit: "Unlock this browser",
  submitting: "Unlocking…",
  expiredHint: "Links to unlock a browser work for 24 hours, once, and only the newest one.",
  signIn: "Go to sign in",
  offer: "Was it somebody else? We can mail you a link that lets this browser in.",
  send: "Mail me a way in",
  sent: "If an account exists, a link is on its way. It works for 24 hours.",
} as const;

export const t = createTexts({
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
