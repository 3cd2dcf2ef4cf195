// Budgets: what the account, its projects, members and keys may spend, and in which time zone periods begin.

import type { BudgetId } from "@turnpike/base";
import { type Budget, listBudgets, removeBudget, setBudget, setTimeZone } from "@turnpike/budgets";
import { notifyKeyChange } from "@turnpike/keys";
import { budgetKinds, budgetPeriods, formatUsd } from "@turnpike/terms";
import { z } from "zod";
import { amountInput, idInput, timeZoneInput } from "../inputs.ts";
import { accountProcedure, noInput, router } from "../procedure.ts";

export const budgetIdInput = z.strictObject({
  id: idInput<BudgetId>().describe("Id of the budget."),
});
export const hardBudgetDescription =
  "True: answers are cut to what is left, and a request whose shortest answer may cost more is refused with 402. False: only mails and events are sent.";
export const setBudgetInput = z.strictObject({
  kind: z.enum(budgetKinds).describe("What the budget limits."),
  subjectId: idInput().describe("Id of the account, project, member or API key that it limits."),
  period: z
    .enum(budgetPeriods)
    .describe("When it begins again, in the account's time zone; weeks begin on Monday."),
  limitUsd: amountInput.describe('The limit in USD with at most two decimals, like "10.50".'),
  hard: z.boolean().describe(hardBudgetDescription),
});

export const budgetsRouter = router({
  list: accountProcedure("budgets.read")
    .input(noInput)
    .query(async ({ ctx }) => {
      const { timeZone, budgets } = await listBudgets(ctx.db, ctx.scope);
      return { timeZone, budgets: budgets.map(presentBudget) };
    }),
  set: accountProcedure("budgets.change")
    .input(setBudgetInput)
    .mutation(async ({ ctx, input }) => {
      const { limitUsd: limitNanos, ...budget } = input;
      const editor = { accountId: ctx.account.id, by: ctx.actor };
      const id = await setBudget(ctx.db, editor, { ...budget, limitNanos });
      await notifyKeyChange(ctx.db, ctx.account.id);
      return { id };
    }),
  remove: accountProcedure("budgets.change")
    .input(budgetIdInput)
    .mutation(async ({ ctx, input }) => {
      await removeBudget(ctx.db, { accountId: ctx.account.id, by: ctx.actor }, input.id);
      await notifyKeyChange(ctx.db, ctx.account.id);
      return {};
    }),
  setTimeZone: accountProcedure("budgets.change")
    .input(z.strictObject({ timeZone: timeZoneInput }))
    .mutation(async ({ ctx, input }) => {
      const editor = { accountId: ctx.account.id, by: ctx.actor };
      await setTimeZone(ctx.db, editor, input.timeZone);
      await notifyKeyChange(ctx.db, ctx.account.id);
      return {};
    }),
});

export function presentBudget(budget: Budget) {
  const { limitNanos, spentNanos, heldNanos, resetsAt, ...rest } = budget;
  return {
    ...rest,
    limitUsd: formatUsd(limitNanos),
    spentUsd: formatUsd(spentNanos),
    heldUsd: formatUsd(heldNanos),
    resetsAt: resetsAt?.toISOString() ?? null,
  };
}
