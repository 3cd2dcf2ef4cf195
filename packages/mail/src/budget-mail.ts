// The mail about a budget that is half spent, nearly spent or spent.
import type { MailContent } from "./mail-content.ts";
import type { MailMessage } from "./mail-message.ts";
import { formatTime, showUsd } from "./mail-parts.ts";

type BudgetMail = Extract<MailMessage, { kind: "budget_reached" }>;

const periodNames = {
  day: "daily budget",
  week: "weekly budget",
  month: "monthly budget",
  total: "total budget",
} as const satisfies Record<BudgetMail["period"], string>;

export function writeBudgetMail(mail: BudgetMail): MailContent {
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
