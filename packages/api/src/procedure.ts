// The kinds of procedure: public, for people who are signed in, and for people who recently proved their
// identity. All translate Faults in one middleware; no router catches anything.

import { initTRPC } from "@trpc/server";
import { requireRecentProof, requireSession } from "@turnpike/auth";
import type { Db } from "@turnpike/db";
import { z } from "zod";
import type { ApiContext } from "./context.ts";
import { faultOf, trpcErrorOf } from "./fault-to-trpc.ts";
import { faultData } from "./present-fault.ts";

/**
 * When a procedure needs step-up: every time, or only for some inputs, as decided by the function it
 * calls, with `requireRecentProof`. A test walks the router and proves both.
 */
export type ProcedureMeta = { readonly stepUp?: "always" | "sometimes" };

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
export const memberProcedure = translated.use(({ ctx, next }) => {
  const authenticated = requireSession(ctx.authenticated);
  const { session, person, account } = authenticated;
  /** Every read of reports goes through this: they are what takes long. */
  const report = <Result>(read: (db: Db) => Promise<Result>) => ctx.report(account.id, read);
  return next({ ctx: { ...ctx, authenticated, session, person, account, report } });
});

/** For people who proved themselves within ten minutes; others get `step_up_required`. */
export const stepUpProcedure = memberProcedure.meta({ stepUp: "always" }).use(({ ctx, next }) => {
  requireRecentProof(ctx.authenticated);
  return next();
});

/** The same if only some inputs need it; the function it calls decides which. */
export const sometimesStepUpProcedure = memberProcedure.meta({ stepUp: "sometimes" });

export { noInput };
