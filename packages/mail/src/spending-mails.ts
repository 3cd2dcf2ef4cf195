// The mails about what is spent: budgets, and a day that costs far more than usual.
import { writeBudgetMail } from "./budget-mail.ts";
import type { MailContent } from "./mail-content.ts";
import type { MailMessage } from "./mail-message.ts";

export const spendingMails = { budget_reached: writeBudgetMail, unusual_spend: writeUnusualSpend };

function writeUnusualSpend(mail: Extract<MailMessage, { kind: "unusual_spend" }>): MailContent {
  const { day, spentUsd, usualUsd, keyName, keyUsd, model, modelUsd, link } = mail;
  return {
    subject: `Unusual spending: $${spentUsd} on ${day}`,
    paragraphs: [
      `Requests cost $${spentUsd} on ${day} (UTC) so far. The costliest of the 14 days before cost $${usualUsd}.`,
    ],
    facts: [
      ["Most by API key", `${keyName}, $${keyUsd}`],
      ["Most by model", `${model}, $${modelUsd}`],
    ],
    button: { label: "View usage", link },
    note: { text: "You can turn this off in your notification settings." },
  };
}
