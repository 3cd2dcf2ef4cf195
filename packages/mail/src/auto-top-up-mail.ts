// The mail that says why an account is no longer topped up automatically, and what to do about it.

import type { MailContent } from "./mail-content.ts";
import type { AutoTopUpPauseMail, MailMessage } from "./mail-message.ts";
import { showUsd } from "./mail-parts.ts";

type Stopped = Exclude<Extract<MailMessage, { kind: `auto_top_up_${string}` }>, AutoTopUpPauseMail>;

const texts = {
  auto_top_up_declined: {
    subject: "Your card was declined",
    text: (amount) =>
      `Your card was declined for an automatic top-up of ${amount}. It is not charged again until you save another card or turn automatic top-up on again.`,
    label: "Open the wallet",
  },
  auto_top_up_needs_authentication: {
    subject: "Your bank asks you to confirm a payment",
    text: (amount) =>
      `Your bank did not allow an automatic top-up of ${amount} without you. Nothing was charged. Add funds yourself to confirm the payment; your card is not charged automatically until then.`,
    label: "Add funds",
  },
  auto_top_up_expired_card: {
    subject: "Your saved card has expired",
    text: (amount) =>
      `An automatic top-up of ${amount} was due, but your saved card has expired. Add funds with a new card and save it.`,
    label: "Add funds",
  },
  auto_top_up_ceiling: {
    subject: "Your automatic top-ups reached their monthly ceiling",
    text: (amount) =>
      `The next automatic top-up would exceed your ceiling of ${amount} a month. Nothing more is charged automatically until next month, or until you raise the ceiling.`,
    label: "Open the wallet",
  },
} as const satisfies Record<
  Stopped["kind"],
  { subject: string; text: (amount: string) => string; label: string }
>;

function writeAutoTopUpMail({ kind, amountUsd, link }: Stopped): MailContent {
  const { subject, text, label } = texts[kind];
  return {
    subject,
    paragraphs: [
      text(showUsd("amount", amountUsd)),
      "When your balance is used up, API requests are declined.",
    ],
    button: { label, link },
  };
}

const pauses = {
  refunded: "a payment was refunded",
  disputed: "a payment was disputed with the bank",
  lowered: "something other than your requests lowered the balance",
  suspended: "your account is suspended",
  frozen: "your account owes money",
  deletion: "you asked for your account to be deleted",
  card_owner_left: "the member who saved the card has left or asked for their deletion",
} as const satisfies Record<AutoTopUpPauseMail["reason"], string>;

const resumptions: Readonly<Partial<Record<AutoTopUpPauseMail["reason"], string>>> = {
  suspended: "Contact support. Once your account is active again, choose Resume in the wallet.",
  frozen: "Add funds, then choose Resume in the wallet.",
  deletion:
    "Your saved card was forgotten. If you cancel the deletion, add funds, choose to save the card, and turn automatic top-up on again.",
  card_owner_left:
    "To go on, add funds with another card, choose to save it, and turn automatic top-up on in the wallet.",
};

function writePauseMail({ reason, link }: AutoTopUpPauseMail): MailContent {
  return {
    subject: "Automatic top-up is paused",
    paragraphs: [
      `Your card is no longer charged automatically, because ${pauses[reason]}.`,
      resumptions[reason] ?? "To go on, choose Resume in the wallet.",
      "When your balance is used up, API requests are declined.",
    ],
    button: { label: "Open the wallet", link },
  };
}

export const autoTopUpMails = {
  auto_top_up_paused: writePauseMail,
  auto_top_up_declined: writeAutoTopUpMail,
  auto_top_up_needs_authentication: writeAutoTopUpMail,
  auto_top_up_expired_card: writeAutoTopUpMail,
  auto_top_up_ceiling: writeAutoTopUpMail,
} as const;
