// The monthly statements of a customer, as their wallet has them: refunds and other money taken back are lines of them.
import { queryCompany } from "@turnpike/billing";
import { listStatementMonths, queryStatement, type Statement } from "@turnpike/reports";
import { formatUsd } from "@turnpike/terms";
import { queryAccount } from "./account/query-account.ts";
import { accountInput } from "./inputs.ts";
import { monthInput } from "./money-verbs.ts";
import { everyone, query } from "./verb.ts";

const ofMonth = { account: accountInput, month: monthInput };

export const statementVerbs = {
  list: query({
    roles: everyone,
    summary: "the months for which an account has a statement, newest first",
    input: { account: accountInput },
    async run({ db }, _, { account }) {
      const { id: accountId } = await queryAccount(db, account);
      return { accountId, months: await listStatementMonths(db, accountId) };
    },
  }),
  show: query({
    roles: everyone,
    summary: "a month's statement: payments, refunds and usage by key, and the balances around it",
    input: ofMonth,
    async run({ db }, _, { account, month }) {
      const { id: accountId } = await queryAccount(db, account);
      return { accountId, ...present(await queryStatement(db, { accountId, month })) };
    },
  }),
  pdf: query({
    roles: everyone,
    summary: "the same as the PDF that the customer downloads",
    input: ofMonth,
    writesFile: true,
    async run({ db, delivery }, _, { account: named, month }) {
      const account = await queryAccount(db, named);
      const statement = await queryStatement(db, { accountId: account.id, month });
      const company = await queryCompany(db, account.id);
      return delivery.statement({ account, company, statement });
    },
  }),
};

function present({ month, from, to, payments, usage, ...amounts }: Statement) {
  return {
    month,
    from: from.toISOString(),
    to: to.toISOString(),
    openingUsd: formatUsd(amounts.openingNanos),
    paidUsd: formatUsd(amounts.paidNanos),
    usedUsd: formatUsd(amounts.usedNanos),
    closingUsd: formatUsd(amounts.closingNanos),
    payments: payments.map(({ at, type, reason, amountNanos }) => ({
      at: at.toISOString(),
      type,
      reason,
      amountUsd: formatUsd(amountNanos),
    })),
    usage: usage.map(({ costNanos, ...line }) => ({ ...line, costUsd: formatUsd(costNanos) })),
  };
}
