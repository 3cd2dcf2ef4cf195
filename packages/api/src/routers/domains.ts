// Mail domains of an organization: proven by DNS, they may require a provider of everyone with an address in them.

import { addDomain, listDomains, proveDomain, removeDomain } from "@turnpike/accounts";
import { setRequiredProvider } from "@turnpike/auth";
import type { DomainId } from "@turnpike/base";
import { z } from "zod";
import { idInput, line } from "../inputs.ts";
import { orNull, toIso } from "../present.ts";
import { accountProcedure, noInput, provenAccountProcedure, router } from "../procedure.ts";

const idOnly = z.strictObject({ id: idInput<DomainId>() });

export const domainsRouter = router({
  list: accountProcedure("account.change")
    .input(noInput)
    .query(async ({ ctx }) => {
      const list = await listDomains(ctx.db, ctx.account.id);
      return list.map((domain) => ({ ...domain, provenAt: orNull(domain.provenAt, toIso) }));
    }),
  add: accountProcedure("account.change")
    .input(z.strictObject({ domain: line(253) }))
    .mutation(async ({ ctx, input }) => {
      await addDomain(ctx.db, ctx.member, input);
      return {};
    }),
  /** Looks for the TXT record. */
  prove: accountProcedure("account.change")
    .input(idOnly)
    .mutation(async ({ ctx, input }) => {
      await proveDomain(ctx.db, ctx.auth, ctx.member, input);
      return {};
    }),
  /** Null requires nothing. Signs out everyone of the domain who signed in another way. */
  require: provenAccountProcedure("account.own")
    .input(idOnly.extend({ provider: line(40).nullable() }))
    .mutation(async ({ ctx, input }) => {
      const provider = ctx.authenticated?.session.provider ?? null;
      const by = { ...ctx.member, session: { provider } };
      await setRequiredProvider(ctx.db, ctx.auth, by, input);
      return {};
    }),
  remove: provenAccountProcedure("account.own")
    .input(idOnly)
    .mutation(async ({ ctx, input }) => {
      await removeDomain(ctx.db, ctx.member, input);
      return {};
    }),
});
