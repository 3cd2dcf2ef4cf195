// Texts about the identities a person signs in with.
import { createTexts } from "../../lib/create-texts.ts";

const identities = {
  title: "Sign-in providers",
  description: "Identities elsewhere that you can sign in with.",
  what: "your identities",
  none: "No identity is linked.",
  provider: "Provider",
  email: "Identity",
  since: "Linked",
  used: "Last used",
  link: "Link {name}",
  leaving: "Opening {name}…",
  linked: "{name} is linked. You can sign in with it from now on.",
  last: "An identity cannot be unlinked while it is the only way you can sign in. Set a password first, by “Forgot password?” on the sign-in page.",
  unlink: "Unlink",
  unlinkThis: "Unlink {provider} {email}",
  unlinkTitle: "Unlink {provider}?",
  unlinkBody:
    "{email} can no longer sign in to your account, and other sessions it opened are signed out.",
  unlinking: "Unlinking…",
  unlinked: "Unlinked {provider}.",
} as const;

export const t = createTexts({ identities });
