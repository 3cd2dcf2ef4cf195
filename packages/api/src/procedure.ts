// The two kinds of procedure: for everybody, and for people who are signed in. Both translate Faults
// in one middleware; no router catches anything.

import { initTRPC } from "@trpc/server";
import { requireSession } from "@turnpike/auth";
import { z } from "zod";
import type { ApiContext } from "./context.ts";
import { faultOf, trpcErrorOf } from "./fault-to-trpc.ts";
import { faultData } from "./present-fault.ts";

const trpc = initTRPC.context<ApiContext>().create({
  // Never by environment: in development tRPC would send stack traces.
  isDev: false,
  errorFormatter({ shape, error, ctx }) {
    const fault = faultOf(error);
    return { ...shape, message: fault.message, data: faultData(fault, ctx?.requestId ?? "") };
  },
});

export const router = trpc.router;
export const createCallerFactory = trpc.createCallerFactory;

/** A procedure without input refuses one, as the others refuse fields they do not know. */
const noInput = z.strictObject({}).optional();

const translated = trpc.procedure.use(async ({ next }) => {
  const result = await next();
  if (result.ok) return result;
  throw trpcErrorOf(faultOf(result.error));
});

/** For everybody; `ctx.identified` tells whether they are signed in. */
export const publicProcedure = translated;

/** For people who are signed in; others get `unauthenticated`, before their input is read. */
export const memberProcedure = translated.use(({ ctx, next }) => {
  const identified = requireSession(ctx.identified);
  const { session, person, account } = identified;
  return next({ ctx: { ...ctx, identified, session, person, account } });
});

export { noInput };
