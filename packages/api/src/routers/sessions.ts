// Where a person is signed in, and signing out elsewhere.

import { endOtherSessions, endSession, listPersonEvents, listSessions } from "@turnpike/auth";
import { z } from "zod";
import { cursorInput, line } from "../inputs.ts";
import { orNull } from "../present.ts";
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
    await endSession(ctx.db, ctx, input.id);
    return {};
  }),
  endOthers: personProcedure.input(noInput).mutation(({ ctx }) => endOtherSessions(ctx.db, ctx)),
  /** What happened to the person's sign-in, newest first. */
  events: personProcedure
    .input(z.strictObject({ cursor: cursorInput.optional() }))
    .query(async ({ ctx, input }) => {
      const { rows, nextCursor } = await listPersonEvents(ctx.db, ctx.person.id, input.cursor);
      return {
        rows: rows.map((row) => ({ ...row, id: String(row.id), at: row.at.toISOString() })),
        nextCursor: orNull(nextCursor, String),
      };
    }),
});
