// Getting in and out: registration, verification, login, step-up, reset, unlocking, undoing. Thin
// over the functions of auth.

import {
  listOwnInvitations,
  listViews,
  type Membership,
  revokeManagementKeysOfPerson,
} from "@turnpike/accounts";
import {
  askPasskey,
  cancelRecovery,
  confirmEmailChange,
  finishRecovery,
  logIn,
  logInWithFactor,
  logInWithPasskey,
  logOut,
  registerPerson,
  requestPasswordReset,
  requestRecovery,
  requestUnlock,
  resendVerification,
  resetPassword,
  startAtProvider,
  stepUp,
  undoChange,
  unlockBrowser,
  verifyEmail,
  verifyHere,
  verifyWithNewPassword,
} from "@turnpike/auth";
import { findTimeZone, type PersonId } from "@turnpike/base";
import { followEmailOf } from "@turnpike/billing";
import type { Db } from "@turnpike/db";
import { revokeKeysOfPerson } from "@turnpike/keys";
import { verbsOf } from "@turnpike/operator";
import { z } from "zod";
import {
  credentialInput,
  emailInput,
  factorProofs,
  line,
  passwordInput,
  tokenInput,
} from "../inputs.ts";
import { presentAccount } from "../present.ts";
import { noInput, publicProcedure, router, signedInProcedure } from "../procedure.ts";

const emailOnly = z.strictObject({ email: emailInput });
const emailAndPassword = z.strictObject({ email: emailInput, password: passwordInput });
const tokenOnly = z.strictObject({ token: tokenInput });
const tokenAndPassword = z.strictObject({ token: tokenInput, password: passwordInput });
const proof = z.discriminatedUnion("method", [
  z.strictObject({ method: z.literal("password"), password: passwordInput }),
  ...factorProofs,
]);

export const authRouter = router({
  /** Null for everyone who is not signed in. */
  me: publicProcedure.input(noInput).query(async ({ ctx: { db, authenticated, account } }) => {
    if (authenticated === undefined) return null;
    const { id, email, name, factors, accounts, operatorRole } = authenticated.person;
    return {
      person: {
        id,
        email,
        name,
        factors,
        operatorRole,
        // One that was stored before there was a list may be in none.
        timeZone: findTimeZone(authenticated.person.timeZone) ?? "",
        /** What they may ask and do at the operators' desk, e.g. `account.suspend`. */
        verbs: operatorRole === null ? [] : verbsOf(operatorRole),
      },
      accounts: accounts.map(({ kind, slug, name, role }) => ({ kind, slug, name, role })),
      /** The one the request is about; null for those who do not belong to it. */
      account: account === undefined ? null : presentAccount(account),
      /** Until when an operator looks at it, which the members are told. */
      viewedUntil: account === undefined ? null : await viewedUntil(db, account),
      /** `invitations.own` lists to what. */
      isInvited: (await listOwnInvitations(db, { email })).length > 0,
    };
  }),
  register: publicProcedure.input(emailAndPassword).mutation(async ({ ctx, input }) => {
    ctx.setCookies((await registerPerson(ctx.db, ctx.auth, ctx, input)).setCookies);
    return {};
  }),
  resendVerification: publicProcedure
    .input(emailOnly)
    .mutation(({ ctx, input }) => resendVerification(ctx.db, ctx.auth, ctx, input)),
  verifyEmail: publicProcedure
    .input(tokenAndPassword)
    .mutation(({ ctx, input }) => verifyEmail(ctx.db, ctx.auth, ctx, input)),
  /** Without the password, in the browser that registered the address; signs in there. */
  verifyHere: publicProcedure.input(tokenOnly).mutation(async ({ ctx, input }) => {
    const { status, email, setCookies } = await verifyHere(ctx.db, ctx.auth, ctx, input);
    ctx.setCookies(setCookies);
    return { status, email };
  }),
  verifyWithNewPassword: publicProcedure
    .input(tokenAndPassword)
    .mutation(({ ctx, input }) => verifyWithNewPassword(ctx.db, ctx.auth, ctx, input)),
  login: publicProcedure.input(emailAndPassword).mutation(async ({ ctx, input }) => {
    const { setCookies, factor } = await logIn(ctx.db, ctx.auth, ctx, input);
    ctx.setCookies(setCookies);
    /** Where there is one, `loginFactor` completes it. */
    return factor === undefined ? {} : { factor };
  }),
  loginFactor: publicProcedure
    .input(
      z.strictObject({
        challenge: tokenInput,
        proof: z.discriminatedUnion("method", factorProofs),
      }),
    )
    .mutation(async ({ ctx, input }) => {
      ctx.setCookies((await logInWithFactor(ctx.db, ctx.auth, ctx, input)).setCookies);
      return {};
    }),
  /** The browser goes to the returned URL, and comes back to `/auth/callback/…`. */
  startAtProvider: publicProcedure
    .input(
      z.strictObject({
        provider: line(40),
        next: line(2_000).optional(),
        /** The provider shall ask who it is, even if it remembers. */
        isAgain: z.boolean().optional(),
      }),
    )
    .mutation(async ({ ctx, input }) => {
      const { url, setCookies } = await startAtProvider(ctx.db, ctx.auth, ctx, input);
      ctx.setCookies(setCookies);
      return { url };
    }),
  /** After the right password, for those who lost every second factor. */
  requestRecovery: publicProcedure
    .input(z.strictObject({ challenge: tokenInput }))
    .mutation(async ({ ctx, input }) => {
      const { readyAt } = await requestRecovery(ctx.db, ctx.auth, input);
      return { readyAt: readyAt.toISOString() };
    }),
  cancelRecovery: publicProcedure.input(tokenOnly).mutation(async ({ ctx, input }) => {
    await cancelRecovery(ctx.db, input.token);
    return {};
  }),
  finishRecovery: publicProcedure
    .input(tokenAndPassword)
    .mutation(({ ctx, input }) => finishRecovery(ctx.db, ctx.auth, input)),
  /** What to ask of the browser's passkeys: one of the person of that challenge, else any. */
  askPasskey: publicProcedure
    .input(z.strictObject({ challenge: tokenInput.optional() }))
    .mutation(({ ctx, input }) => askPasskey(ctx.db, ctx.auth, ctx, input.challenge)),
  loginPasskey: publicProcedure
    .input(z.strictObject({ credential: credentialInput }))
    .mutation(async ({ ctx, input }) => {
      ctx.setCookies((await logInWithPasskey(ctx.db, ctx.auth, ctx, input)).setCookies);
      return {};
    }),
  logout: publicProcedure.input(noInput).mutation(async ({ ctx }) => {
    ctx.setCookies((await logOut(ctx.db, ctx.auth, ctx)).setCookies);
    return {};
  }),
  forgotPassword: publicProcedure.input(emailOnly).mutation(async ({ ctx, input }) => {
    await requestPasswordReset(ctx.db, ctx.auth, ctx, input);
    return {};
  }),
  resetPassword: publicProcedure
    .input(tokenAndPassword.extend({ revokeKeys: z.boolean().optional() }))
    .mutation(async ({ ctx, input }) => {
      const { personId } = await resetPassword(ctx.db, ctx.auth, ctx, input);
      // Anyone who could sign in may have made keys; only the owner knows that nobody else could.
      const revokedKeys = input.revokeKeys === false ? 0 : await revokeAllKeys(ctx.db, personId);
      return { revokedKeys };
    }),
  confirmEmailChange: publicProcedure.input(tokenAndPassword).mutation(async ({ ctx, input }) => {
    const { email, setCookies } = await confirmEmailChange(ctx.db, ctx.auth, ctx, input);
    ctx.setCookies(setCookies);
    await followEmailOf(ctx.db, ctx.billing, email);
    return { email };
  }),
  /** Undoes a change of password or address, and revokes the keys made since. */
  undoChange: publicProcedure.input(tokenOnly).mutation(async ({ ctx, input: { token } }) => {
    const undone = await undoChange(ctx.db, ctx.auth, ctx, { token, revokeSince: revokeAllKeys });
    await followEmailOf(ctx.db, ctx.billing, undone.email);
    return undone;
  }),
  /** Mails a link that lets one more browser sign in despite too many attempts. */
  requestUnlock: publicProcedure.input(emailOnly).mutation(async ({ ctx, input }) => {
    await requestUnlock(ctx.db, ctx.auth, ctx, input);
    return {};
  }),
  unlockBrowser: publicProcedure.input(tokenOnly).mutation(async ({ ctx, input }) => {
    const { email, setCookies } = await unlockBrowser(ctx.db, ctx.auth, ctx, input.token);
    ctx.setCookies(setCookies);
    return { email };
  }),
  /** Actions that need step-up work for ten minutes afterwards. */
  stepUp: signedInProcedure.input(proof).mutation(async ({ ctx, input }) => {
    await stepUp(ctx.db, ctx.auth, ctx.authenticated, input);
    return {};
  }),
});

async function viewedUntil(db: Db, { id }: Membership): Promise<string | null> {
  const last = (await listViews(db, id)).at(-1);
  return last === undefined ? null : last.expiresAt.toISOString();
}

/** API keys and management keys of a person, all of them or those made since a moment. */
async function revokeAllKeys(db: Db, personId: PersonId, since?: Date): Promise<number> {
  const management = await revokeManagementKeysOfPerson(db, personId, since);
  return management + (await revokeKeysOfPerson(db, personId, since));
}
