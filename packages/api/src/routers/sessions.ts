// Where a person is signed in, and signing out elsewhere.

import { endOtherSessions, endSession, listSessions } from "@turnpike/auth";
import { z } from "zod";
import { line } from "../inputs.ts";
import { noInput, personProcedure, router } from "../procedure.ts";

export const sessionsRouter = router({
  list: personProcedure.input(noInput).query(async ({ ctx }) => {
    const listed = await listSessions(ctx.db, ctx.authenticated);
    return listed.map((session) => ({
      ...session,
      createdAt: session.createdAt.toISOString(),
      lastSeenAt: session.lastSeenAt.toISOString(),
    }));
  }),
  end: personProcedure.input(z.strictObject({ id: line(64) })).mutation(async ({ ctx, input }) => {
    await endSession(ctx.db, ctx.authenticated, input.id);
    return {};
  }),
  endOthers: personProcedure
    .input(noInput)
    .mutation(({ ctx }) => endOtherSessions(ctx.db, ctx.authenticated)),
});
