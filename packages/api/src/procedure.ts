// The kinds of procedure: public, for people who are signed in, for members of an account whose role has a
// permission, for operators, and for those who recently proved their identity. All translate Faults in one middleware; no
// router catches anything.

import { initTRPC } from "@trpc/server";
import {
  assertNotInView,
  assertUnchangedRole,
  auditActorOf,
  holdMembership,
  type Member,
  type Membership,
  type Permission,
  projectScopeOf,
  requireAccount,
  requireKeyPermission,
  requirePermission,
  type Scope,
} from "@turnpike/accounts";
import { requireFactor, requireRecentProof, requireSession } from "@turnpike/auth";
import { type Db, guardTransactions, type OperatorRole } from "@turnpike/db";
import { holdOperator, requireOperator } from "@turnpike/operator";
import type { ReportScope } from "@turnpike/reports";
import { z } from "zod";
import type { ApiContext } from "./context.ts";
import { faultOf, trpcErrorOf } from "./fault-to-trpc.ts";
import { faultData } from "./present-fault.ts";

/** What a procedure demands of its caller. Tests walk the router and prove both. */
export type ProcedureMeta = {
  /** The permission that the caller's role in the account must have. */
  readonly permission?: Permission;
  /** The roles of operators, where it is about this installation. */
  readonly operators?: readonly OperatorRole[];
  /** Every time, or only for some inputs: as the function it calls decides, with `requireRecentProof`. */
  readonly stepUp?: "always" | "sometimes";
};

const trpc = initTRPC
  .context<ApiContext>()
  .meta<ProcedureMeta>()
  .create({
    // Never by environment: in development tRPC would send stack traces.
    isDev: false,
    errorFormatter({ shape, error, ctx }) {
      const fault = faultOf(error);
      return { ...shape, message: fault.message, data: faultData(fault, ctx?.requestId ?? "") };
    },
  });

export const router = trpc.router;
export const createCallerFactory = trpc.createCallerFactory;

/** A procedure without input refuses one, as the others refuse unknown fields. */
const noInput = z.strictObject({}).optional();

const translated = trpc.procedure.use(async ({ next }) => {
  const result = await next();
  if (result.ok) return result;
  throw trpcErrorOf(faultOf(result.error));
});

/** For everyone; `ctx.authenticated` says whether they are signed in. */
export const publicProcedure = translated;

/** For people who are signed in; others get `unauthenticated`, before their input is read. */
export const signedInProcedure = translated.use(({ ctx, next }) => {
  const authenticated = requireSession(ctx.authenticated);
  const { session, person } = authenticated;
  return next({ ctx: { ...ctx, authenticated, session, sessionId: session.publicId, person } });
});

/** The same for what concerns the person; an operator changes nothing of it while they look at an account. */
export const personProcedure = signedInProcedure.use(({ ctx, type, next }) => {
  if (type === "mutation") ctx.person.views.forEach(assertNotInView);
  return next();
});

/** For people who proved themselves within ten minutes; others get `step_up_required`. */
export const stepUpProcedure = personProcedure.meta({ stepUp: "always" }).use(({ ctx, next }) => {
  requireRecentProof(ctx.authenticated);
  return next();
});

/** For operators with one of the roles and a second factor; others get `permission_denied` or `second_factor_required`. */
export function operatorProcedure(roles: readonly OperatorRole[]) {
  return signedInProcedure.meta({ operators: roles }).use(({ ctx, type, next }) => {
    const operator = requireOperator(ctx.person, roles);
    const db =
      type === "mutation"
        ? guardTransactions(ctx.db, { check: (tx) => holdOperator(tx, ctx.authenticated, roles) })
        : ctx.db;
    return next({ ctx: { ...ctx, db, operator } });
  });
}

/**
 * For members of the account the request is about whose role has the permission, and for management keys that have
 * it; others get `not_found` or `permission_denied`. `ctx.scope` narrows what they may see and change to the keys they
 * made, where the role says so. A mutation changes things in transactions of `ctx.db` only: each begins with the same
 * check, whose result stays true until the transaction ends.
 */
export function accountProcedure(permission: Permission) {
  return translated.meta({ permission }).use(({ ctx, type, next }) => {
    // Before the permission: it is not by their role that an operator may change nothing.
    if (type === "mutation" && ctx.account !== undefined) assertNotInView(ctx.account);
    const acting = actingMember(ctx, permission);
    const { member, granted, requireProof } = acting;
    const { account, person } = member;
    const ownerOfKeys = granted === "own" ? person.id : undefined;
    const projectIds = projectScopeOf(account);
    const scope: ReportScope = { accountId: account.id, ownerOfKeys, projectIds };
    /** Every read of reports goes through this: they are what takes long. */
    const report = <Result>(read: (db: Db) => Promise<Result>) => ctx.report(account.id, read);
    const actor = auditActorOf(member);
    const db =
      type === "mutation"
        ? guardTransactions(ctx.db, {
            check: (tx) => requireStillAllowed(tx, acting),
            inTurn: (run) => ctx.change(account.id, run),
          })
        : ctx.db;
    return next({
      ctx: { ...ctx, db, account, person, scope, report, member, actor, requireProof },
    });
  });
}

type ActingMember = {
  readonly member: Member;
  readonly granted: Scope;
  /** Throws unless the member may do it with this membership. */
  readonly requireAllowed: (account: Membership) => Scope;
  /** Throws `step_up_required`, but not for a management key: the permission it was given is the proof. */
  readonly requireProof: () => void;
};

/** Who signed in, or for whom the management key of the call acts. */
function actingMember(ctx: ApiContext, permission: Permission): ActingMember {
  const { managementKey: key, address } = ctx;
  if (key !== undefined) {
    const requireAllowed = (account: Membership) =>
      requireKeyPermission({ ...key, account }, permission);
    const granted = requireAllowed(key.account);
    const { account, person, id, name, permissions } = key;
    const member = { account, person, address, managementKey: { id, name, permissions } };
    return { member, granted, requireAllowed, requireProof: () => undefined };
  }
  const authenticated = requireSession(ctx.authenticated);
  const { person, session } = authenticated;
  const requireAllowed = (account: Membership) => {
    const granted = requirePermission(account, permission);
    requireFactor(account, person);
    return granted;
  };
  const account = requireAccount(ctx.account);
  const granted = requireAllowed(account);
  const member = { account, person, address, sessionId: session.publicId };
  return { member, granted, requireAllowed, requireProof: () => requireRecentProof(authenticated) };
}

/** At the start of each transaction of a mutation: the caller's rights may have changed since the request began. */
async function requireStillAllowed(tx: Db, { member, requireAllowed }: ActingMember) {
  const now = await holdMembership(tx, member);
  requireAllowed(now);
  assertUnchangedRole(member.account, now);
}

/** The same for people who proved themselves within ten minutes. */
export function provenAccountProcedure(permission: Permission) {
  return accountProcedure(permission)
    .meta({ stepUp: "always" })
    .use(({ ctx, next }) => {
      ctx.requireProof();
      return next();
    });
}

/** The same if only some inputs need it; the function it calls decides which. */
export function sometimesProvenAccountProcedure(permission: Permission) {
  return accountProcedure(permission).meta({ stepUp: "sometimes" });
}

export { noInput };
