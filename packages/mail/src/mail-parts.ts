// Phrases that several mails share.
import { quoteName } from "@turnpike/base";
import { formatAmount, formatBalance, formatDate, formatSum, formatUtc } from "@turnpike/format";
import type { MailContent } from "./mail-content.ts";

/** How the owner undoes a change they did not ask for. */
export function writeUndo(undoLink: string, undoHours = 0): Pick<MailContent, "button" | "note"> {
  return {
    button: { label: "This was not me: undo it", link: undoLink },
    note: {
      text: `The link works once, for ${count(undoHours, "hour")}. It keeps or restores this address, signs out every session, and asks you to choose a new password.`,
    },
  };
}

/** `an admin`, `a viewer`. */
export function withArticle(role: string): string {
  return `${/^[aeiou]/.test(role) ? "an" : "a"} ${role}`;
}

export function count(amount: number, unit: string): string {
  return `${amount} ${unit}${amount === 1 ? "" : "s"}`;
}

/** An ISO time for people who may be anywhere. */
export function formatTime(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : formatUtc(at);
}

/** A calendar day as the API writes it. */
export function showDay(day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(at.getTime()) ? day : formatDate(at, "UTC");
}

const moneyFormats = { amount: formatAmount, balance: formatBalance, sum: formatSum } as const;

/** As the console shows an amount of this kind: a balance is never rounded up. */
export function showUsd(kind: keyof typeof moneyFormats, usd: string): string {
  return /^-?\d{1,12}(\.\d{1,9})?$/.test(usd) ? moneyFormats[kind](usd) : `$${usd}`;
}

/**
 * Programs make links of addresses, of what begins with a scheme, `www.` or two backslashes, and of every name with a known
 * ending.
 */
const linkable =
  /(?<=:)(?=\/)|(?<=\\)(?=\\)|(?<=[\p{L}\p{N}])(?=[@:])|(?<=[.@\u3002\uff0e\uff61])(?=[\p{L}\p{N}])/gu;
/** Phones make links of them. No shorter number can be called everywhere. */
const telephoneNumber = /\p{Nd}(?:[\s()./+\-\u2010-\u2015]{0,3}\p{Nd}){6,}/gu;

/** Text that somebody chose, looking the same, of which no program makes a link: a zero-width space is where one would begin. */
export function unlinked(text: string): string {
  return text
    .replace(telephoneNumber, (number) => number.replace(/(?<=\p{Nd})(?!$)/gu, "\u200b"))
    .replace(linkable, "\u200b");
}

/** A name that somebody chose, as something quoted: it can neither become a link nor end its quotation. */
export function quoted(name: string): string {
  return unlinked(quoteName(name));
}
