// The console's API: one router, one line per noun.

import { createCallerFactory, router } from "./procedure.ts";
import { accountsRouter } from "./routers/accounts.ts";
import { auditRouter } from "./routers/audit.ts";
import { authRouter } from "./routers/auth.ts";
import { batchesRouter } from "./routers/batches.ts";
import { budgetsRouter } from "./routers/budgets.ts";
import { configRouter } from "./routers/config.ts";
import { conversationsRouter } from "./routers/conversations.ts";
import { domainsRouter } from "./routers/domains.ts";
import { factorsRouter } from "./routers/factors.ts";
import { filesRouter } from "./routers/files.ts";
import { guardrailsRouter } from "./routers/guardrails.ts";
import { invitationsRouter } from "./routers/invitations.ts";
import { keysRouter } from "./routers/keys.ts";
import { logsRouter } from "./routers/logs.ts";
import { managementKeysRouter } from "./routers/management-keys.ts";
import { membersRouter } from "./routers/members.ts";
import { modelsRouter } from "./routers/models.ts";
import { operatorRouter } from "./routers/operator.ts";
import { overviewRouter } from "./routers/overview.ts";
import { profileRouter } from "./routers/profile.ts";
import { projectsRouter } from "./routers/projects.ts";
import { sessionsRouter } from "./routers/sessions.ts";
import { usageRouter } from "./routers/usage.ts";
import { walletRouter } from "./routers/wallet.ts";
import { webhooksRouter } from "./routers/webhooks.ts";

export const appRouter = router({
  accounts: accountsRouter,
  audit: auditRouter,
  auth: authRouter,
  batches: batchesRouter,
  budgets: budgetsRouter,
  config: configRouter,
  conversations: conversationsRouter,
  factors: factorsRouter,
  files: filesRouter,
  domains: domainsRouter,
  guardrails: guardrailsRouter,
  invitations: invitationsRouter,
  keys: keysRouter,
  logs: logsRouter,
  managementKeys: managementKeysRouter,
  members: membersRouter,
  models: modelsRouter,
  operator: operatorRouter,
  overview: overviewRouter,
  profile: profileRouter,
  projects: projectsRouter,
  sessions: sessionsRouter,
  usage: usageRouter,
  wallet: walletRouter,
  webhooks: webhooksRouter,
});

/** The console imports this type and never a value. */
export type AppRouter = typeof appRouter;

/** Calls procedures without HTTP, in tests. */
export const createCaller = createCallerFactory(appRouter);
