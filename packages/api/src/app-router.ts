// The console's API: one router, one line per noun.

import { createCallerFactory, router } from "./procedure.ts";
import { authRouter } from "./routers/auth.ts";
import { configRouter } from "./routers/config.ts";
import { profileRouter } from "./routers/profile.ts";
import { sessionsRouter } from "./routers/sessions.ts";

export const appRouter = router({
  auth: authRouter,
  config: configRouter,
  profile: profileRouter,
  sessions: sessionsRouter,
});

/** The console imports this type and never a value. */
export type AppRouter = typeof appRouter;

/** Calls procedures without HTTP, in tests. */
export const createCaller = createCallerFactory(appRouter);
