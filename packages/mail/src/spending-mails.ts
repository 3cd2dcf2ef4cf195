// The mails about what is spent: budgets, and a day that costs far more than usual.
import { writeBudgetMail } from "./budget-mail.ts";
import type { MailContent } from "./mail-content.ts";
import type { MailMessage } from "./mail-message.ts";
import { showDay, showUsd } from "./mail-parts.ts";

export const spendingMails = { budget_reached: writeBudgetMail, unusual_spend: writeUnusualSpend };

function writeUnusualSpend(mail: Extract<MailMessage, { kind: "unusual_spend" }>): MailContent {
  const { usualUsd, keyName, keyUsd, model, modelUsd, link } = mail;
  const spent = showUsd("sum", mail.spentUsd);
  const day = showDay(mail.day);
  return {
    subject: `Unusual spending: ${spent} on ${day}`,
    paragraphs: [
      `Requests cost ${spent} on ${day} (UTC) so far. The costliest of the 14 days before cost ${showUsd("sum", usualUsd)}.`,
    ],
    facts: [
      ["Most by API key", `${keyName}, ${showUsd("sum", keyUsd)}`],
      ["Most by model", `${model}, ${showUsd("sum", modelUsd)}`],
    ],
    button: { label: "View usage", link },
    note: { text: "You can turn this off in your notification settings." },
  };
}
