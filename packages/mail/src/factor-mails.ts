// Mails about second factors and recovery codes. Each can be undone together with the password.
import type { MailContent } from "./mail-content.ts";
import type { MailMessage } from "./mail-message.ts";
import { formatTime, writeUndo } from "./mail-parts.ts";

type FactorKind = "factor_added" | "factor_removed";
type CodeKind = "recovery_codes_replaced" | "recovery_code_used";
type MailOf<Kind> = Extract<MailMessage, { kind: Kind }>;

const subjects = {
  factor_added: "A second factor was added to your {name} account",
  factor_removed: "A second factor was removed from your {name} account",
  recovery_codes_replaced: "Your {name} recovery codes were replaced",
  recovery_code_used: "A recovery code of your {name} account was used",
} as const satisfies Record<FactorKind | CodeKind, string>;

const bodies = {
  factor_added: "From now on, signing in with your password also asks for a second factor.",
  factor_removed: "It no longer signs in to your account.",
  recovery_codes_replaced: "The new codes were shown once, and all earlier ones stopped working.",
  recovery_code_used:
    "Someone used it to sign in with your password, or to confirm an action. It does not work again.",
} as const satisfies Record<FactorKind | CodeKind, string>;

function write(
  { kind, at, undoLink, undoHours }: MailOf<FactorKind | CodeKind>,
  productName: string,
  facts: NonNullable<MailContent["facts"]>,
): MailContent {
  return {
    subject: subjects[kind].replace("{name}", productName),
    paragraphs: [`${bodies[kind]} If that was you, you do not need to do anything.`],
    facts: [...facts, ["Time", formatTime(at)]],
    ...(undoLink !== undefined && writeUndo(undoLink, undoHours)),
  };
}

export function writeFactorMail(message: MailOf<FactorKind>, productName: string): MailContent {
  return write(message, productName, [["Factor", message.name]]);
}

export function writeCodeMail(message: MailOf<CodeKind>, productName: string): MailContent {
  return write(message, productName, []);
}

export function writeRequiredMail(
  { accountName, at, link }: MailOf<"factor_required">,
  productName: string,
): MailContent {
  return {
    subject: `${accountName} requires a second factor on ${productName}`,
    paragraphs: [
      `${accountName} requires its members to sign in with a second factor, such as a passkey or an authenticator app. You have none. Without one you cannot use ${accountName} from then on; your own account is not affected.`,
    ],
    facts: [["Required from", formatTime(at)]],
    button: { label: "Add a second factor", link },
  };
}

export function writeRecoveryRequest(
  { at, link }: MailOf<"factor_recovery_requested">,
  productName: string,
): MailContent {
  return {
    subject: `Your ${productName} second factors are about to be removed`,
    paragraphs: [
      `Someone who knows your password asked to sign in without a second factor, because it is lost. After a delay we mail you a link that removes all your second factors. Until then nothing changes.`,
    ],
    facts: [["Possible from", formatTime(at)]],
    button: { label: "Keep my second factors", link },
    note: {
      text: "If you did not ask for it, someone knows your password: cancel it and change your password. Signing in with a second factor cancels it, too.",
    },
  };
}

export function writeRecoveryReady(
  { at, link }: MailOf<"factor_recovery_ready">,
  productName: string,
): MailContent {
  return {
    subject: `Remove the lost second factors of your ${productName} account`,
    paragraphs: [
      "The delay is over. With this link and your password you remove all second factors and recovery codes; afterwards your password alone signs in.",
    ],
    facts: [["Works until", formatTime(at)]],
    button: { label: "Remove second factors", link },
    note: { text: "If you did not ask for it, ignore this mail and change your password now." },
  };
}
