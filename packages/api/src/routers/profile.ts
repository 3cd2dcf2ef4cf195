// What a person changes about themselves.

import { changePassword, requestEmailChange, updateProfile } from "@turnpike/auth";
import { z } from "zod";
import { emailInput, line, passwordInput } from "../inputs.ts";
import { personProcedure, router, stepUpProcedure } from "../procedure.ts";

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
  changeEmail: stepUpProcedure
    .input(z.strictObject({ newEmail: emailInput, password: passwordInput }))
    .mutation(async ({ ctx, input }) => {
      await requestEmailChange(ctx.db, ctx.auth, ctx, input);
      return {};
    }),
});
