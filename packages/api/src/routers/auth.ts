// Getting in and out: registration, verification, login, reset. Thin over the verbs of auth.

import {
  confirmEmailChange,
  logIn,
  logOut,
  registerPerson,
  requestPasswordReset,
  resendVerification,
  resetPassword,
  verifyEmail,
} from "@turnpike/auth";
import { z } from "zod";
import { emailInput, passwordInput, tokenInput } from "../inputs.ts";
import { noInput, publicProcedure, router } from "../procedure.ts";

const emailOnly = z.strictObject({ email: emailInput });
const emailAndPassword = z.strictObject({ email: emailInput, password: passwordInput });
const tokenOnly = z.strictObject({ token: tokenInput });
const tokenAndPassword = z.strictObject({ token: tokenInput, password: passwordInput });

export const authRouter = router({
  /** Null for everyone who is not signed in. */
  me: publicProcedure.input(noInput).query(({ ctx: { identified } }) => {
    if (identified === undefined) return null;
    const { person, account } = identified;
    const { id, email, name, timeZone } = person;
    return { person: { id, email, name, timeZone }, account };
  }),
  register: publicProcedure.input(emailAndPassword).mutation(async ({ ctx, input }) => {
    await registerPerson(ctx.db, ctx.auth, ctx, input);
    return {};
  }),
  resendVerification: publicProcedure
    .input(emailOnly)
    .mutation(({ ctx, input }) => resendVerification(ctx.db, ctx.auth, ctx, input)),
  verifyEmail: publicProcedure
    .input(tokenOnly)
    .mutation(({ ctx, input }) => verifyEmail(ctx.db, ctx.auth, ctx, input.token)),
  login: publicProcedure.input(emailAndPassword).mutation(async ({ ctx, input }) => {
    ctx.setCookies((await logIn(ctx.db, ctx.auth, ctx, input)).setCookies);
    return {};
  }),
  logout: publicProcedure.input(noInput).mutation(async ({ ctx }) => {
    ctx.setCookies((await logOut(ctx.auth, ctx.identified)).setCookies);
    return {};
  }),
  forgotPassword: publicProcedure.input(emailOnly).mutation(async ({ ctx, input }) => {
    await requestPasswordReset(ctx.db, ctx.auth, ctx, input);
    return {};
  }),
  resetPassword: publicProcedure.input(tokenAndPassword).mutation(async ({ ctx, input }) => {
    await resetPassword(ctx.db, ctx.auth, ctx, input);
    return {};
  }),
  confirmEmailChange: publicProcedure
    .input(tokenOnly)
    .mutation(({ ctx, input }) => confirmEmailChange(ctx.db, ctx.auth, ctx, input.token)),
});
