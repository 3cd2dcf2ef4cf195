// Conversations of the playground that members share in their account, for roles that may use the playground. Those
// who shared them remove them, and roles that may change the account.
import { type Member, scopeOf } from "@turnpike/accounts";
import type { AccountId, SharedConversationId } from "@turnpike/base";
import type { AuditActor } from "@turnpike/db";
import {
  listShared,
  queryShared,
  removeShared,
  type SharedConversation,
  type Sharer,
  shareConversation,
  sharedBytesMax,
} from "@turnpike/prompts";
import { z } from "zod";
import type { ApiContext } from "../context.ts";
import { idInput, line } from "../inputs.ts";
import { toIso } from "../present.ts";
import { accountProcedure, noInput, router } from "../procedure.ts";

const idOnly = z.strictObject({ id: idInput<SharedConversationId>() });

export const conversationsRouter = router({
  list: accountProcedure("playground.use")
    .input(noInput)
    .query(async ({ ctx }) => (await listShared(ctx.db, sharerOf(ctx))).map(present)),
  read: accountProcedure("playground.use")
    .input(idOnly)
    .query(async ({ ctx, input }) => {
      const { content, ...shared } = await queryShared(ctx.db, sharerOf(ctx), input.id);
      return { ...present(shared), content };
    }),
  /** A copy: what is said later is not in it. */
  share: accountProcedure("playground.use")
    .input(z.strictObject({ title: line(120), content: z.string().min(2).max(sharedBytesMax) }))
    .mutation(async ({ ctx, input }) => ({
      id: await shareConversation(ctx.db, sharerOf(ctx), input),
    })),
  remove: accountProcedure("playground.use")
    .input(idOnly)
    .mutation(async ({ ctx, input }) => {
      await removeShared(ctx.db, sharerOf(ctx), input.id);
      return {};
    }),
});

type Caller = Pick<ApiContext, "sealer"> & {
  readonly member: Member;
  readonly actor: AuditActor;
  readonly scope: { readonly accountId: AccountId };
};

function sharerOf({ sealer, member, actor, scope }: Caller): Sharer {
  const { person, account } = member;
  const managesAccount = scopeOf(account.role, "account.change") !== undefined;
  return { accountId: scope.accountId, personId: person.id, managesAccount, by: actor, sealer };
}

function present({ sharedAt, ...shared }: SharedConversation) {
  return { ...shared, sharedAt: toIso(sharedAt) };
}
