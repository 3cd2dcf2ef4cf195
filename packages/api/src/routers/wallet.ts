// The Wallet: its balance, its movements, top-ups and the low-balance alert.

import type { TopUpId } from "@turnpike/base";
import {
  cancelTopUp,
  createTopUp,
  queryAutoTopUp,
  queryCompany,
  queryTellsUnusualSpend,
  queryTopUp,
  removeSavedCard,
  setAutoTopUp,
  setCompany,
  setLowBalanceAlert,
  setTellsUnusualSpend,
} from "@turnpike/billing";
import {
  listStatementMonths,
  queryLedger,
  queryPendingTopUps,
  queryStatement,
  querySteps,
  queryWallet,
} from "@turnpike/reports";
import { companyMax, formatUsd, ledgerTypes } from "@turnpike/terms";
import { z } from "zod";
import {
  amountInput,
  cursorDescription,
  idInput,
  instantInput,
  line,
  pageLimitDescription,
  pageLimitInput,
  pageRowsDefault,
  shownTimeZoneInput,
} from "../inputs.ts";
import {
  presentAutoTopUp,
  presentLedgerRow,
  presentPendingTopUp,
  presentTopUp,
  presentWallet,
} from "../present.ts";
import { accountProcedure, noInput, provenAccountProcedure, router } from "../procedure.ts";
import { writeLedgerCsv } from "../write-ledger-csv.ts";
import { writeStatement } from "../write-statement.ts";

const ledgerFilter = z.strictObject({
  type: z.enum(ledgerTypes).optional().describe("Only movements of this kind."),
  from: instantInput
    .optional()
    .describe("Only movements at or after this time, and usage of hours that end after it."),
  to: instantInput
    .optional()
    .describe("Only movements before this time, and usage of hours that begin before it."),
  timeZone: shownTimeZoneInput,
});

export const ledgerInput = ledgerFilter.extend({
  cursor: line(128).optional().describe(cursorDescription),
  limit: pageLimitInput
    .optional()
    .describe(`${pageLimitDescription} The first page has pending payments besides, at most 20.`),
});

const idOnly = z.strictObject({ id: idInput<TopUpId>() });
const monthInput = z.strictObject({ month: z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/) });
const companyInput = z.strictObject({
  name: line(companyMax.lineChars),
  addressLines: z.array(line(companyMax.lineChars)).max(companyMax.addressLines),
  taxNumber: line(companyMax.taxNumberChars),
});

export const walletRouter = router({
  summary: accountProcedure("money.read")
    .input(noInput)
    .query(async ({ ctx }) =>
      presentWallet(await ctx.report((db) => queryWallet(db, ctx.account.id))),
    ),
  ledger: accountProcedure("money.read")
    .input(ledgerInput)
    .query(async ({ ctx, input }) => {
      const { limit = pageRowsDefault } = input;
      const query = { ...input, accountId: ctx.account.id, limit };
      const isFirst = input.cursor === undefined;
      const [pending, page] = await Promise.all([
        isFirst ? ctx.report((db) => queryPendingTopUps(db, query)) : [],
        ctx.report((db) => queryLedger(db, query)),
      ]);
      return {
        rows: [...pending.map(presentPendingTopUp), ...page.rows.map(presentLedgerRow)],
        nextCursor: page.nextCursor,
      };
    }),
  createTopUp: accountProcedure("money.change")
    .input(
      z.strictObject({
        amountUsd: line(32),
        attemptId: idInput<TopUpId>(),
        savesCard: z.boolean().optional(),
      }),
    )
    .mutation(({ ctx, input }) =>
      createTopUp(ctx.db, ctx.billing, {
        ...input,
        accountId: ctx.account.id,
        personId: ctx.person.id,
        actor: ctx.actor,
      }),
    ),
  topUp: accountProcedure("money.read")
    .input(idOnly)
    .query(async ({ ctx, input }) => {
      const topUp = await queryTopUp(ctx.db, ctx.account.id, input.id);
      // Read after the top-up: a balance shown next to "paid" includes the payment.
      const [wallet, steps] = await Promise.all([
        ctx.report((db) => queryWallet(db, ctx.account.id)),
        ctx.report((db) => querySteps(db, ctx.scope)),
      ]);
      return {
        ...presentTopUp(topUp),
        balanceUsd: formatUsd(wallet.balanceNanos),
        hasKeys: steps.hasKey,
      };
    }),
  cancelTopUp: accountProcedure("money.change")
    .input(idOnly)
    .mutation(async ({ ctx, input }) => {
      await cancelTopUp(ctx.db, ctx.billing, ctx.account.id, input.id, ctx.actor);
      return {};
    }),
  ledgerCsv: accountProcedure("money.read")
    .input(ledgerFilter)
    .query(async ({ ctx, input }) => ({
      csv: await ctx.report((db) => writeLedgerCsv(db, { ...input, accountId: ctx.account.id })),
    })),
  statements: accountProcedure("money.read")
    .input(noInput)
    .query(async ({ ctx }) => ({
      company: await queryCompany(ctx.db, ctx.account.id),
      months: await listStatementMonths(ctx.db, ctx.account.id),
    })),
  setCompany: accountProcedure("account.change")
    .input(companyInput)
    .mutation(async ({ ctx, input }) => {
      await setCompany(ctx.db, ctx.account.id, input, ctx.actor);
      return {};
    }),
  statementPdf: accountProcedure("money.read")
    .input(monthInput)
    .query(async ({ ctx, input }) => {
      const { account } = ctx;
      const company = await queryCompany(ctx.db, account.id);
      const query = { ...input, accountId: account.id };
      const statement = await ctx.report((db) => queryStatement(db, query));
      const pdf = await writeStatement(ctx.company, { account, company, statement });
      return { pdf: pdf.toString("base64") };
    }),
  autoTopUp: accountProcedure("money.read")
    .input(noInput)
    .query(async ({ ctx }) => presentAutoTopUp(await queryAutoTopUp(ctx.db, ctx.account.id))),
  setAutoTopUp: provenAccountProcedure("money.change")
    .input(
      z.strictObject({
        enabled: z.boolean(),
        thresholdUsd: amountInput,
        amountUsd: line(32),
        ceilingUsd: amountInput,
      }),
    )
    .mutation(async ({ ctx, input }) => {
      const { thresholdUsd: thresholdNanos, ceilingUsd: ceilingNanos, ...rest } = input;
      const change = { ...rest, thresholdNanos, ceilingNanos };
      await setAutoTopUp(ctx.db, ctx.billing, ctx.account.id, change, ctx.actor);
      return {};
    }),
  removeCard: accountProcedure("money.change")
    .input(noInput)
    .mutation(async ({ ctx }) => {
      await removeSavedCard(ctx.db, ctx.billing, ctx.account.id, ctx.actor);
      return {};
    }),
  unusualSpendMail: accountProcedure("money.read")
    .input(noInput)
    .query(async ({ ctx }) => ({ on: await queryTellsUnusualSpend(ctx.db, ctx.account.id) })),
  setUnusualSpendMail: accountProcedure("money.change")
    .input(z.strictObject({ on: z.boolean() }))
    .mutation(async ({ ctx, input }) => {
      await setTellsUnusualSpend(ctx.db, ctx.account.id, input.on, ctx.actor);
      return {};
    }),
  setLowBalanceAlert: accountProcedure("money.change")
    .input(z.strictObject({ usd: amountInput.nullable() }))
    .mutation(async ({ ctx, input }) => {
      await setLowBalanceAlert(ctx.db, ctx.account.id, input.usd, ctx.actor);
      return {};
    }),
});
