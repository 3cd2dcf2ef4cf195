// Organizations: created, renamed, left, and their ownership handed on.

import {
  answerOwnership,
  changeAccount,
  closeAccount,
  createOrganization,
  leaveAccount,
  offerOwnership,
  revokesLeakedKeys,
  setRevokesLeakedKeys,
  withdrawOwnership,
} from "@turnpike/accounts";
import { requireFactors } from "@turnpike/auth";
import type { PersonId } from "@turnpike/base";
import { queryTimeZone } from "@turnpike/budgets";
import {
  notifyKeyChange,
  queryAccountRates,
  revokeAccountKeys,
  setAccountRates,
} from "@turnpike/keys";
import { z } from "zod";
import { idInput, instantInput, line, rateChangeInput } from "../inputs.ts";
import {
  accountProcedure,
  noInput,
  personProcedure,
  provenAccountProcedure,
  router,
} from "../procedure.ts";

const personOnly = z.strictObject({ personId: idInput<PersonId>() });

export const accountsRouter = router({
  create: personProcedure
    .input(z.strictObject({ name: line(200) }))
    .mutation(async ({ ctx, input }) => {
      const { slug } = await createOrganization(ctx.db, ctx.auth, ctx, input);
      return { slug };
    }),
  read: accountProcedure("account.read")
    .input(noInput)
    .query(async ({ ctx }) => {
      const { id, kind, name, slug } = ctx.account;
      return { id, kind, name, slug, timeZone: await queryTimeZone(ctx.db, id) };
    }),
  change: accountProcedure("account.change")
    .input(z.strictObject({ name: line(200).optional(), slug: line(64).optional() }))
    .mutation(async ({ ctx, input }) => {
      await changeAccount(ctx.db, ctx.auth, ctx.member, input);
      return {};
    }),
  limits: accountProcedure("account.read")
    .input(noInput)
    .query(({ ctx }) => queryAccountRates(ctx.db, ctx.account.id)),
  setLimits: accountProcedure("account.change")
    .input(rateChangeInput)
    .mutation(async ({ ctx, input }) => {
      await setAccountRates(ctx.db, { accountId: ctx.account.id, by: ctx.actor }, input);
      return {};
    }),
  leakedKeys: accountProcedure("keys.read")
    .input(noInput)
    .query(async ({ ctx }) => ({ revokes: await revokesLeakedKeys(ctx.db, ctx.member) })),
  setLeakedKeys: provenAccountProcedure("account.change")
    .input(z.strictObject({ revokes: z.boolean() }))
    .mutation(async ({ ctx, input }) => {
      await setRevokesLeakedKeys(ctx.db, ctx.member, input.revokes);
      return {};
    }),
  /** Step-up too: it cannot be undone. */
  close: provenAccountProcedure("account.own")
    .input(z.strictObject({ name: line(200) }))
    .mutation(async ({ ctx, input }) => {
      await closeAccount(ctx.db, ctx.member, input, revokeAccountKeys);
      await notifyKeyChange(ctx.db, ctx.account.id);
      return {};
    }),
  /** Null requires none. Who has none by then is refused in this account. */
  requireFactors: provenAccountProcedure("account.change")
    .input(z.strictObject({ from: instantInput.nullable() }))
    .mutation(async ({ ctx, input }) => {
      await requireFactors(ctx.db, ctx.auth, ctx.member, input.from);
      return {};
    }),
  leave: accountProcedure("account.read")
    .input(noInput)
    .mutation(async ({ ctx }) => {
      await leaveAccount(ctx.db, ctx.member);
      return {};
    }),
  offerOwnership: provenAccountProcedure("account.own")
    .input(personOnly)
    .mutation(async ({ ctx, input }) => {
      await offerOwnership(ctx.db, ctx.auth, ctx.member, input.personId);
      return {};
    }),
  withdrawOwnership: accountProcedure("account.own")
    .input(personOnly)
    .mutation(async ({ ctx, input }) => {
      await withdrawOwnership(ctx.db, ctx.member, input.personId);
      return {};
    }),
  answerOwnership: accountProcedure("account.read")
    .input(z.strictObject({ accept: z.boolean() }))
    .mutation(async ({ ctx, input }) => {
      await answerOwnership(ctx.db, ctx.member, input.accept);
      return {};
    }),
});
