// Phrases that several mails share.
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

const timeFormat = new Intl.DateTimeFormat("en-US", {
  dateStyle: "long",
  timeStyle: "short",
  timeZone: "UTC",
});

/** An ISO time for people who may be anywhere. */
export function formatTime(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : `${timeFormat.format(at)} UTC`;
}
