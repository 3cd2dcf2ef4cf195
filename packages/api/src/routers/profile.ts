// What a person changes about themselves.

import { updateProfile } from "@turnpike/accounts";
import {
  cancelDeletion,
  changePassword,
  listIdentities,
  queryDeletion,
  requestDeletion,
  requestEmailChange,
  startAtProvider,
  unlinkIdentity,
} from "@turnpike/auth";
import type { IdentityId } from "@turnpike/base";
import { z } from "zod";
import { emailInput, idInput, line, passwordInput } from "../inputs.ts";
import { orNull, toIso } from "../present.ts";
import { noInput, personProcedure, router, stepUpProcedure } from "../procedure.ts";

export const profileRouter = router({
  update: personProcedure
    .input(z.strictObject({ name: line(200).optional(), timeZone: line(64).optional() }))
    .mutation(async ({ ctx, input }) => {
      await updateProfile(ctx.db, ctx.person.id, input);
      return {};
    }),
  changePassword: stepUpProcedure
    .input(z.strictObject({ currentPassword: passwordInput, newPassword: passwordInput }))
    .mutation(async ({ ctx, input }) => {
      ctx.setCookies((await changePassword(ctx.db, ctx.auth, ctx, input)).setCookies);
      return {};
    }),
  /** When the person will be deleted; null if they did not ask for it. */
  deletion: personProcedure.input(noInput).query(async ({ ctx }) => ({
    dueAt: orNull(await queryDeletion(ctx.db, ctx.person.id), toIso),
  })),
  requestDeletion: stepUpProcedure
    .input(noInput)
    .mutation(async ({ ctx }) => ({ dueAt: toIso(await requestDeletion(ctx.db, ctx.auth, ctx)) })),
  cancelDeletion: personProcedure.input(noInput).mutation(async ({ ctx }) => {
    await cancelDeletion(ctx.db, ctx);
    return {};
  }),
  changeEmail: stepUpProcedure
    .input(z.strictObject({ newEmail: emailInput, password: passwordInput }))
    .mutation(async ({ ctx, input }) => {
      await requestEmailChange(ctx.db, ctx.auth, ctx, input);
      return {};
    }),
  /** Where they sign in besides here. */
  identities: personProcedure.input(noInput).query(async ({ ctx }) => {
    const list = await listIdentities(ctx.db, ctx.auth, ctx);
    return list.map((identity) => ({
      ...identity,
      createdAt: identity.createdAt.toISOString(),
      lastUsedAt: identity.lastUsedAt.toISOString(),
    }));
  }),
  /** The browser goes to the returned URL, and is back at `next` with `linked` or `refused` in the query. */
  linkIdentity: stepUpProcedure
    .input(z.strictObject({ provider: line(40), next: line(2_000).optional() }))
    .mutation(async ({ ctx, input }) => {
      const given = { ...input, sessionId: ctx.session.publicId };
      const { url, setCookies } = await startAtProvider(ctx.db, ctx.auth, ctx, given);
      ctx.setCookies(setCookies);
      return { url };
    }),
  unlinkIdentity: stepUpProcedure
    .input(z.strictObject({ id: idInput<IdentityId>() }))
    .mutation(async ({ ctx, input }) => {
      await unlinkIdentity(ctx.db, ctx.auth, ctx, input.id);
      return {};
    }),
});
