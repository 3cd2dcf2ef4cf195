// Where a person is signed in, and signing out elsewhere.

import {
  endAllSessions,
  endOtherSessions,
  endSession,
  listPersonEvents,
  listSessions,
} from "@turnpike/auth";
import { z } from "zod";
import { cursorInput, line } from "../inputs.ts";
import { orNull } from "../present.ts";
import { noInput, personProcedure, router, signedInProcedure } from "../procedure.ts";

export const sessionsRouter = router({
  list: personProcedure.input(noInput).query(async ({ ctx }) => {
    const listed = await listSessions(ctx.db, ctx.authenticated);
    return listed.map((session) => ({
      ...session,
      /** Approximately; empty if it is not known. */
      place: ctx.auth.findPlace(session.address),
      createdAt: session.createdAt.toISOString(),
      lastSeenAt: session.lastSeenAt.toISOString(),
    }));
  }),
  end: personProcedure.input(z.strictObject({ id: line(64) })).mutation(async ({ ctx, input }) => {
    await endSession(ctx.db, ctx, input.id);
    return {};
  }),
  endOthers: personProcedure.input(noInput).mutation(({ ctx }) => endOtherSessions(ctx.db, ctx)),
  /** Here too. */
  endAll: signedInProcedure.input(noInput).mutation(async ({ ctx }) => {
    const { ended, setCookies } = await endAllSessions(ctx.db, ctx.auth, ctx);
    ctx.setCookies(setCookies);
    return { ended };
  }),
  /** What happened to the person's sign-in, newest first. */
  events: personProcedure
    .input(z.strictObject({ cursor: cursorInput.optional() }))
    .query(async ({ ctx, input }) => {
      const { rows, nextCursor } = await listPersonEvents(ctx.db, ctx.person.id, input.cursor);
      return {
        rows: rows.map((row) => ({
          ...row,
          id: String(row.id),
          at: row.at.toISOString(),
          place: ctx.auth.findPlace(row.address),
        })),
        nextCursor: orNull(nextCursor, String),
      };
    }),
});
