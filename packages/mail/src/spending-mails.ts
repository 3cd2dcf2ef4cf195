// The mails about what is spent: budgets, and a day that costs far more than usual.
import type { MailContent } from "./mail-content.ts";
import type { MailMessage } from "./mail-message.ts";
import { formatTime, showDay, showUsd } from "./mail-parts.ts";

export const spendingMails = { budget_reached: writeBudgetMail, unusual_spend: writeUnusualSpend };

type BudgetMail = Extract<MailMessage, { kind: "budget_reached" }>;

const periodNames = {
  day: "daily budget",
  week: "weekly budget",
  month: "monthly budget",
  total: "total budget",
} as const satisfies Record<BudgetMail["period"], string>;

/** About a budget that is half spent, nearly spent or spent. */
function writeBudgetMail(mail: BudgetMail): MailContent {
  const { percent, subjectName, beyond, limitUsd, spentUsd, at, link } = mail;
  const whose = [mail.whose, subjectName].filter(Boolean).join(" ");
  const budget = periodNames[mail.period];
  const subject = whose.charAt(0).toUpperCase() + whose.slice(1);
  return {
    subject:
      percent === 100
        ? `${subject} reached the ${budget}`
        : `${subject} spent ${percent}% of the ${budget}`,
    paragraphs: [
      `${percent}% of the ${budget} of ${whose} is spent. Requests beyond it are ${beyond}.`,
    ],
    facts: [
      ["Spent", showUsd("sum", spentUsd)],
      ["Limit", showUsd("amount", limitUsd)],
      ["Resets", at === null ? "never" : formatTime(at)],
    ],
    button: { label: "View usage", link },
  };
}

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
