// Renders a mail: what each kind says, as content that the text and the HTML form share.
// No part of a message reaches the HTML unescaped, and none that somebody chose becomes a link.

import { autoTopUpMails } from "./auto-top-up-mail.ts";
import {
  writeCodeMail,
  writeFactorMail,
  writeRecoveryReady,
  writeRecoveryRequest,
  writeRequiredMail,
} from "./factor-mails.ts";
import { writeKeyMail } from "./key-mails.ts";
import { layOutHtml, writeFooter } from "./lay-out-html.ts";
import type { Brand, MailContent } from "./mail-content.ts";
import type { MailMessage } from "./mail-message.ts";
import { count, formatTime, showUsd, withArticle, writeUndo } from "./mail-parts.ts";
import { markChosenText } from "./mark-chosen-text.ts";
import { spendingMails } from "./spending-mails.ts";

export type RenderedMail = {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

export function renderMail(message: MailMessage, brand: Brand): RenderedMail {
  const content = writeContent(markChosenText(message), brand);
  return {
    subject: content.subject,
    text: layOutText(content, brand),
    html: layOutHtml(content, brand),
  };
}

type ContentOf = {
  readonly [Kind in MailMessage["kind"]]: (
    message: Extract<MailMessage, { kind: Kind }>,
    productName: string,
  ) => MailContent;
};

function writeContent(message: MailMessage, { productName }: Brand): MailContent {
  // The compiler cannot see that a table indexed by a message's kind takes that message.
  const write = contents[message.kind] as (message: MailMessage, name: string) => MailContent;
  return write(message, productName);
}

const contents: ContentOf = {
  verify_email: ({ link, hours }, name) => ({
    subject: `Verify your email address for ${name}`,
    paragraphs: [`Welcome to ${name}. Confirm that this address is yours, and you can sign in.`],
    button: { label: "Verify email", link },
    note: {
      text: `The link works for ${count(hours, "hour")}. If you did not sign up, ignore this mail: the account cannot be used without the link.`,
    },
  }),
  already_registered: ({ link, resetLink }, name) => ({
    subject: `You already have a ${name} account`,
    paragraphs: [
      `Someone, probably you, tried to create a ${name} account with this address. The account already exists, so nothing was changed.`,
    ],
    button: { label: "Sign in", link },
    note: { text: "Forgot your password? Set a new one:", link: resetLink },
  }),
  reset_password: ({ link, minutes }, name) => ({
    subject: `Reset your ${name} password`,
    paragraphs: ["Choose a new password with this link. It signs you out everywhere."],
    button: { label: "Choose a new password", link },
    note: {
      text: `The link works once, for ${count(minutes, "minute")}. If you did not ask for it, ignore this mail: your password stays the same.`,
    },
  }),
  password_changed: ({ at, resetLink, undoLink, undoHours }, name) => ({
    subject: `Password change requested for ${name}`,
    paragraphs: [
      `A password change was requested on ${formatTime(at)}. If this was you, no action is needed.`,
    ],
    ...(undoLink === undefined
      ? { note: { text: "If that was not you, set a new password immediately:", link: resetLink } }
      : writeUndo(undoLink, undoHours)),
  }),
  confirm_new_email: ({ link, hours }, name) => ({
    subject: `Confirm your new email address for ${name}`,
    paragraphs: [`Confirm that you want to use this address for your ${name} account.`],
    button: { label: "Confirm address", link },
    note: {
      text: `The link works for ${count(hours, "hour")}. If you did not ask for it, ignore this mail: nothing will change.`,
    },
  }),
  email_change_requested: ({ at, newEmail, undoLink, undoHours }, name) => ({
    subject: `Your ${name} email address is about to change`,
    paragraphs: [
      `On ${formatTime(at)} someone who knows your password asked to change the address of your ${name} account. The change takes effect when the new address is confirmed. If that was you, you do not need to do anything.`,
    ],
    facts: [["New address", newEmail]],
    ...(undoLink !== undefined && writeUndo(undoLink, undoHours)),
  }),
  email_changed: ({ at, newEmail, undoLink, undoHours }, name) => ({
    subject: `Your ${name} email address was changed`,
    paragraphs: [
      `On ${formatTime(at)}, the email address of your ${name} account was changed. This address can no longer be used to sign in.`,
    ],
    facts: [["New address", newEmail]],
    ...(undoLink === undefined
      ? { note: { text: "If that was not you, contact support immediately." } }
      : writeUndo(undoLink, undoHours)),
  }),
  change_undone: ({ at, link, minutes }, name) => ({
    subject: `Choose a new ${name} password to finish`,
    paragraphs: [
      `On ${formatTime(at)} a change of your ${name} account was undone. You sign in with this address, every session was signed out, and the password no longer works.`,
    ],
    button: { label: "Choose a new password", link },
    note: {
      text: `The link works for ${count(minutes, "minute")}; after that, use "Forgot password?" on the sign-in page.`,
    },
  }),
  email_removed: ({ at, resetLink }, name) => ({
    subject: `This address was removed from a ${name} account`,
    paragraphs: [
      `This address was removed from a ${name} account because the change was reversed from the account's previous address on ${formatTime(at)}.`,
    ],
    note: {
      text: "If the account is yours, reset its password with the previous address:",
      link: resetLink,
    },
  }),
  address_reserved: ({ undoLink, undoHours }, name) => ({
    subject: `This address was recently used by another ${name} account`,
    paragraphs: [
      `Someone tried to use this address for a ${name} account. It was recently removed from another account and can be used again in ${count(undoHours, "hour")}.`,
    ],
    ...writeUndo(undoLink, undoHours),
  }),
  unlock_sign_in: ({ link, resetLink, hours }, name) => ({
    subject: `Too many sign-in attempts for your ${name} account`,
    paragraphs: [
      `There were too many failed sign-in attempts or requests for links on your ${name} account. If you can't sign in, open this link in the browser you want to use.`,
    ],
    button: { label: "Unlock this browser", link },
    note: {
      text: `The link works once, for ${count(hours, "hour")}. Forgot your password? Set a new one:`,
      link: resetLink,
    },
  }),
  receipt: ({ amountUsd, balanceUsd, at, topUpLink, receiptUrl }, name) => ({
    subject: `Receipt: ${showUsd("amount", amountUsd)} added to your ${name} wallet`,
    paragraphs: ["Thank you. Your payment has arrived and the money is in your wallet."],
    facts: [
      ["Amount", showUsd("amount", amountUsd)],
      ["Balance", showUsd("balance", balanceUsd)],
      ["Date", formatTime(at)],
    ],
    button: { label: "View in wallet", link: topUpLink },
    ...(receiptUrl !== null && {
      note: { text: "The payment processor's own receipt:", link: receiptUrl },
    }),
  }),
  low_balance: ({ balanceUsd, alertUsd, link }, name) => ({
    subject: `Your ${name} balance is low: ${showUsd("balance", balanceUsd)}`,
    paragraphs: [
      `Your balance has fallen below ${showUsd("amount", alertUsd)}. When it is used up, API requests are declined.`,
    ],
    facts: [["Balance", showUsd("balance", balanceUsd)]],
    button: { label: "Add funds", link },
    note: { text: "You set this alert in your notification settings." },
  }),
  ...autoTopUpMails,
  ...spendingMails,
  deletion_scheduled: ({ at, link }, name) => ({
    subject: `Your ${name} account will be deleted`,
    paragraphs: [
      "You asked us to delete you and your personal account. Until then everything works as before.",
    ],
    facts: [["Deleted at", formatTime(at)]],
    button: { label: "Keep my account", link },
    note: {
      text: "If that was not you, sign in, cancel it and change your password.",
    },
  }),
  deletion_stopped: ({ reason }, name) => ({
    subject: `Your ${name} account was not deleted`,
    paragraphs: [`You asked us to delete your account. We could not: ${reason}`],
    note: { text: "Ask again once that is settled." },
  }),
  person_deleted: (_, name) => ({
    subject: `Your ${name} account was deleted`,
    paragraphs: [
      "Your sign-in, your keys and your personal account are gone, as you asked.",
      "We keep payments and charges, as the law requires, without your name; and organizations keep the record of what you did in them.",
    ],
    note: { text: "This is the last mail we send you." },
  }),
  new_sign_in: ({ at, device, address, place, link }, name) => ({
    subject: `New sign-in to your ${name} account`,
    paragraphs: ["Someone signed in to your account with a browser we have not seen before."],
    facts: [
      ["Device", device],
      ["Address", address === "" ? "unknown" : address],
      ...(place === undefined ? [] : [["Near", place] as const]),
      ["Time", formatTime(at)],
    ],
    button: { label: "Review sessions", link },
    note: {
      text: "If that was you, you do not need to do anything. If not, change your password.",
    },
  }),
  identity_linked: ({ at, provider, identity, undoLink, undoHours }, name) => ({
    subject: `${provider} was linked to your ${name} account`,
    paragraphs: [
      `Since ${formatTime(at)} you can sign in to your ${name} account with ${provider}. If that was you, you do not need to do anything.`,
    ],
    facts: [[provider, identity]],
    ...(undoLink !== undefined && writeUndo(undoLink, undoHours)),
  }),
  factor_added: writeFactorMail,
  factor_removed: writeFactorMail,
  recovery_codes_replaced: writeCodeMail,
  recovery_code_used: writeCodeMail,
  factor_required: writeRequiredMail,
  factor_recovery_requested: writeRecoveryRequest,
  factor_recovery_ready: writeRecoveryReady,
  identity_unlinked: ({ at, provider, identity, link }, name) => ({
    subject: `${provider} was unlinked from your ${name} account`,
    paragraphs: [`Since ${formatTime(at)} you no longer sign in to ${name} with this identity.`],
    facts: [[provider, identity]],
    button: { label: "Review security settings", link },
    note: { text: "If that was not you, change your password." },
  }),
  invitation: ({ accountName, inviter, role, link, days }, name) => ({
    subject: `${inviter} invited you to ${accountName} on ${name}`,
    paragraphs: [
      `${inviter} invited you to join ${accountName} on ${name} as ${withArticle(role)}.`,
    ],
    button: { label: "View invitation", link },
    note: {
      text: `The link works for ${count(days, "day")}. If you do not know the sender, ignore this mail: nothing happens without your consent.`,
    },
  }),
  invitation_claimed: ({ accountName, invited, claimer, link }, name) => ({
    subject: `Confirm who joins ${accountName} on ${name}`,
    paragraphs: [
      `You invited ${invited} to ${accountName}. The invitation was opened by someone who signs in with another address. They join only if you confirm it.`,
    ],
    facts: [
      ["Invited", invited],
      ["Signed in as", claimer],
    ],
    button: { label: "Review members", link },
  }),
  joined_account: ({ accountName, role, link }, name) => ({
    subject: `You joined ${accountName} on ${name}`,
    paragraphs: [`You are now a member of ${accountName}, as ${withArticle(role)}.`],
    button: { label: `Open ${accountName}`, link },
  }),
  ownership_offered: ({ accountName, by, link }, name) => ({
    subject: `${by} offers you the ownership of ${accountName} on ${name}`,
    paragraphs: [
      `${by} offers you to become an owner of ${accountName}. Owners decide about its members, its money and its deletion. Nothing changes until you accept.`,
    ],
    button: { label: "Accept or decline", link },
  }),
  account_closed: ({ accountName, by }, name) => ({
    subject: `${accountName} was deleted on ${name}`,
    paragraphs: [
      `${by} deleted the organization ${accountName}. Its API keys no longer work. Your own account is not affected.`,
    ],
  }),
  webhook_disabled: ({ accountName, url, reason, link }, name) => ({
    subject: `A webhook endpoint was disabled on ${name}`,
    paragraphs: [
      `Nothing more is sent to an endpoint of ${accountName || "your personal account"}: ${reason}`,
      "Once it works again, enable it. What it missed is listed and can be sent again.",
    ],
    facts: [["Endpoint", url]],
    button: { label: "Open webhooks", link },
  }),
  leaked_key_revoked: writeKeyMail,
  leaked_key_found: writeKeyMail,
  key_in_prompt: writeKeyMail,
  removed_from_account: ({ accountName, by }, name) => ({
    subject: `You are no longer a member of ${accountName} on ${name}`,
    paragraphs: [
      `${by} removed you from ${accountName}. Your own account and your other memberships are not affected.`,
    ],
  }),
};

/** What every program can show, with links written out. */
function layOutText(content: MailContent, brand: Brand): string {
  const { paragraphs, facts, button, note } = content;
  const blocks = [
    ...paragraphs,
    facts?.map(([label, value]) => `${label}: ${value}`).join("\n"),
    button && `${button.label}:\n${button.link}`,
    note && [note.text, note.link].filter((part) => part !== undefined).join("\n"),
    writeFooter(brand).join("\n"),
  ];
  return `${blocks.filter((block) => block !== undefined).join("\n\n")}\n`;
}
