// The second factors of a person. Everything that changes what signs in needs step-up.

import {
  addPasskey,
  askOwnPasskey,
  beginPasskey,
  beginTotp,
  cancelRecoveryOf,
  confirmTotp,
  listFactors,
  removeFactor,
  renameFactor,
  renewRecoveryCodes,
} from "@turnpike/auth";
import type { FactorId } from "@turnpike/base";
import { z } from "zod";
import { credentialInput, idInput, line } from "../inputs.ts";
import { orNull, toIso } from "../present.ts";
import {
  noInput,
  personProcedure,
  router,
  signedInProcedure,
  stepUpProcedure,
} from "../procedure.ts";

const id = idInput<FactorId>();
const name = line(200);

export const factorsRouter = router({
  list: personProcedure.input(noInput).query(async ({ ctx }) => {
    const { factors, recoveryReadyAt, ...overview } = await listFactors(
      ctx.db,
      ctx.auth,
      ctx.person.id,
    );
    return {
      ...overview,
      recoveryReadyAt: orNull(recoveryReadyAt, toIso),
      factors: factors.map((factor) => ({
        ...factor,
        createdAt: toIso(factor.createdAt),
        lastUsedAt: orNull(factor.lastUsedAt, toIso),
      })),
    };
  }),
  /** The secret is shown here and never again. */
  beginTotp: stepUpProcedure
    .input(noInput)
    .mutation(({ ctx }) => beginTotp(ctx.db, ctx.auth, ctx.authenticated)),
  confirmTotp: stepUpProcedure
    .input(z.strictObject({ id, name, code: line(40) }))
    .mutation(({ ctx, input }) => confirmTotp(ctx.db, ctx.auth, ctx.authenticated, input)),
  /** What the browser is asked to make. */
  beginPasskey: stepUpProcedure
    .input(noInput)
    .mutation(({ ctx }) => beginPasskey(ctx.db, ctx.auth, ctx.authenticated)),
  addPasskey: stepUpProcedure
    .input(z.strictObject({ name, credential: credentialInput }))
    .mutation(({ ctx, input }) => addPasskey(ctx.db, ctx.auth, ctx.authenticated, input)),
  /** For step-up. */
  ask: signedInProcedure
    .input(noInput)
    .mutation(({ ctx }) => askOwnPasskey(ctx.db, ctx.auth, ctx.person.id)),
  rename: personProcedure.input(z.strictObject({ id, name })).mutation(async ({ ctx, input }) => {
    await renameFactor(ctx.db, ctx.person.id, input);
    return {};
  }),
  remove: stepUpProcedure.input(z.strictObject({ id })).mutation(async ({ ctx, input }) => {
    await removeFactor(ctx.db, ctx.auth, ctx.authenticated, input.id);
    return {};
  }),
  cancelRecovery: personProcedure.input(noInput).mutation(async ({ ctx }) => {
    await cancelRecoveryOf(ctx.db, ctx.person.id);
    return {};
  }),
  renewRecoveryCodes: stepUpProcedure
    .input(noInput)
    .mutation(({ ctx }) => renewRecoveryCodes(ctx.db, ctx.auth, ctx.authenticated)),
});
