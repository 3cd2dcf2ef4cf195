// Texts about signing in with a provider, and why that did not work.
import { createTexts } from "../../lib/create-texts.ts";

const provider = {
  or: "or",
  continue: "Continue with {name}",
  leaving: "Opening {name}…",
} as const;

/** By the reason in the address; `refusalReasons` of `packages/auth` lists them. */
const refused = {
  expired: "This sign-in took too long, or began in another browser. Try again.",
  declined: "Signing in was canceled at {name}.",
  failed: "{name} could not confirm who you are. Try again, or sign in another way.",
  unverified:
    "{name} has not verified your email address. Verify it there, or sign in another way.",
  other_subject:
    "Your account here is linked to another identity at {name}. Sign in the way you did before, and link this one in your settings.",
  taken: "This identity is linked to another account here.",
  reserved:
    "Another account used this address until recently. We sent a mail to it that says what you can do.",
  required: "Your organization requires another way to sign in, or an address of its own domain.",
  throttled: "Too many accounts were created from your network. Try again in an hour.",
} as const;

const texts = createTexts({ provider, refused });
export const t = texts;

/** Of the reason in the address; any other text is the general one. */
export function describeRefusal(reason: string, name: string): string {
  const known = Object.keys(refused).find((key) => key === reason) as keyof typeof refused;
  return texts(`refused.${known ?? "failed"}`, { name });
}
