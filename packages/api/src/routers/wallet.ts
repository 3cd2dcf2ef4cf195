// The Wallet: what is there, what moved, and when to warn.

import { setLowBalanceAlert } from "@turnpike/auth";
import { ledgerTypes, readLedger, readWallet } from "@turnpike/reports";
import { z } from "zod";
import { amountInput, instantInput, line, timeZoneInput } from "../inputs.ts";
import { presentLedgerRow, presentWallet } from "../present.ts";
import { memberProcedure, noInput, router } from "../procedure.ts";
import { writeLedgerCsv } from "../write-ledger-csv.ts";

const ledgerFilter = z.strictObject({
  type: z.enum(ledgerTypes).optional(),
  from: instantInput.optional(),
  to: instantInput.optional(),
  timeZone: timeZoneInput,
});

const pageSize = 50;

export const walletRouter = router({
  summary: memberProcedure
    .input(noInput)
    .query(async ({ ctx }) => presentWallet(await readWallet(ctx.db, ctx.account.id))),
  ledger: memberProcedure
    .input(ledgerFilter.extend({ cursor: line(128).optional() }))
    .query(async ({ ctx, input }) => {
      const query = { ...input, accountId: ctx.account.id, limit: pageSize };
      const page = await readLedger(ctx.db, query);
      return { rows: page.rows.map(presentLedgerRow), nextCursor: page.nextCursor };
    }),
  ledgerCsv: memberProcedure.input(ledgerFilter).query(async ({ ctx, input }) => ({
    csv: await writeLedgerCsv(ctx.db, { ...input, accountId: ctx.account.id }),
  })),
  setLowBalanceAlert: memberProcedure
    .input(z.strictObject({ usd: amountInput.nullable() }))
    .mutation(async ({ ctx, input }) => {
      await setLowBalanceAlert(ctx.db, ctx.account.id, input.usd);
      return {};
    }),
});
