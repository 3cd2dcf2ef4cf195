// Mails about keys that were seen where no key should be.
import type { MailContent } from "./mail-content.ts";
import type { MailMessage } from "./mail-message.ts";

type Kind = "leaked_key_revoked" | "leaked_key_found" | "key_in_prompt";

const texts = {
  leaked_key_revoked: [
    "A leaked {name} key was revoked",
    "A key of your account was found where others can read it. It no longer works.",
    "Create another one for the programs that used it.",
  ],
  leaked_key_found: [
    "A {name} key was found in public",
    "A key of your account was found where others can read it. It still works, because the account only wants to be warned.",
    "Rotate it now, or revoke it if nothing needs it.",
  ],
  key_in_prompt: [
    "A {name} key was sent in a prompt",
    "A key of your account was in the prompt of a request that used another key. It has reached a provider of models, and anyone who sent the request has it.",
    "It still works. Rotate it, or revoke it if nothing needs it.",
  ],
} as const satisfies Record<Kind, readonly string[]>;

export function writeKeyMail(
  seen: Extract<MailMessage, { kind: Kind }>,
  productName: string,
): MailContent {
  const { kind, accountName, keyName, masked, link } = seen;
  const foundAt = kind === "key_in_prompt" ? null : seen.foundAt;
  const [title, ...paragraphs] = texts[kind];
  return {
    subject: `${title.replace("{name}", productName)}: ${keyName}`,
    paragraphs,
    facts: [
      ["Key", `${keyName} (${masked})`],
      ...(accountName === "" ? [] : [["Account", accountName] as const]),
      ...(foundAt === null ? [] : [["Found at", foundAt] as const]),
    ],
    button: { label: "Open the key", link },
  };
}
