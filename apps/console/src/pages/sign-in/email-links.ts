// The links of our emails that change something: what each says and does, and where it leads. None does anything
// before a click, because mail scanners open links too.
import { api } from "../../lib/api.ts";
import type { EntryState } from "./entry-state.ts";

type Way = { readonly href: string; readonly label: string };
type Given = { readonly token: string; readonly password: string; readonly revokeKeys: boolean };

export type Outcome = { readonly text: string; readonly note?: string; readonly next?: Way };

export type EmailLink = {
  /** What it will do. */
  readonly intro: string;
  /** Asked for first; otherwise a click is enough. */
  readonly asks?: "password" | "newPassword";
  readonly submit: string;
  readonly pending: string;
  /** Ends on this page, or on the sign-in page. */
  readonly use: (given: Given) => Promise<Outcome | { readonly signIn: EntryState }>;
  /** Shown with a link that no longer works. */
  readonly lifetime: string;
  readonly instead: Way;
};

const settings: Way = { href: "/settings/profile", label: "Open settings" };
const signIn: Way = { href: "/login", label: "Sign in" };
const newPassword: Way = { href: "/forgot-password", label: "Choose a new password" };
const recoveryLifetime =
  "Links to recover work once, until the date in the email, and not after it was canceled.";

export const confirmEmail: EmailLink = {
  intro: "Enter your password to confirm.",
  asks: "password",
  submit: "Confirm email",
  pending: "Confirming your new email…",
  async use({ token, password }) {
    const { email } = await api.auth.confirmEmailChange.mutate({ token, password });
    const text = `Your email address is now ${email}. All other sessions were signed out.`;
    return { text, next: settings };
  },
  lifetime: "Nothing was changed. You can ask for a new link in your settings.",
  instead: settings,
};

export const undoChange: EmailLink = {
  intro:
    "Undo the change of your password or email address if you did not make it. This keeps or restores your address, signs out every session, and asks you to choose a new password.",
  submit: "Undo the change",
  pending: "Undoing…",
  async use({ token }) {
    const { email } = await api.auth.undoChange.mutate({ token });
    return {
      text: `Undone. ${email} is the address of your account.`,
      note: "We sent you a link to choose a new password. Until you do, nobody can sign in.",
    };
  },
  lifetime:
    "Links to undo a change work once, for 72 hours. If you already used this one, choose a new password to get back in.",
  instead: newPassword,
};

export const unlock: EmailLink = {
  intro:
    "Afterwards you can sign in with your password in this browser, even if others have tried too often. Continue only if you requested this or cannot sign in.",
  submit: "Unlock this browser",
  pending: "Unlocking…",
  async use({ token }) {
    const { email } = await api.auth.unlockBrowser.mutate({ token });
    return { signIn: { email, notice: "unlocked" } };
  },
  lifetime: "Links to unlock a browser work once, for 24 hours, and only the newest one is valid.",
  instead: { href: "/login", label: "Go to sign in" },
};

export const cancelRecovery: EmailLink = {
  intro:
    "Someone who knows your password says that your second factor is lost. If that was not you, cancel it and choose a new password.",
  submit: "Keep my second factors",
  pending: "Canceling…",
  async use({ token }) {
    await api.auth.cancelRecovery.mutate({ token });
    return {
      text: "Canceled: your second factors stay. If you did not ask for it, change your password.",
      next: newPassword,
    };
  },
  lifetime: recoveryLifetime,
  instead: signIn,
};

export const finishRecovery: EmailLink = {
  intro:
    "Enter your password to remove all second factors and recovery codes. You are signed out everywhere and sign in with your password alone; then add a new factor.",
  asks: "password",
  submit: "Remove my second factors",
  pending: "Removing…",
  async use({ token, password }) {
    const { email } = await api.auth.finishRecovery.mutate({ token, password });
    return { signIn: { email } };
  },
  lifetime: recoveryLifetime,
  instead: signIn,
};

export const resetPassword: EmailLink = {
  intro: "You'll be signed out everywhere.",
  asks: "newPassword",
  submit: "Change password",
  pending: "Changing…",
  async use({ token, password, revokeKeys }) {
    await api.auth.resetPassword.mutate({ token, password, revokeKeys });
    return { signIn: { notice: revokeKeys ? "resetKeys" : "reset" } };
  },
  lifetime: "Password reset links work once, for 30 minutes, and only the newest one is valid.",
  instead: { href: "/forgot-password", label: "Send a new link" },
};
