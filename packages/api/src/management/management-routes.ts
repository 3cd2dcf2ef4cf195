// The table of the management API: one small file for each resource, one line here.
import { accountRoutes } from "./account-routes.ts";
import { auditRoutes } from "./audit-routes.ts";
import { budgetRoutes } from "./budget-routes.ts";
import type { ManagementRoute } from "./define-route.ts";
import { guardrailRoutes } from "./guardrail-routes.ts";
import { keyRoutes } from "./key-routes.ts";
import { limitRoutes } from "./limit-routes.ts";
import { invitationRoutes, memberRoutes } from "./member-routes.ts";
import { moneyRoutes } from "./money-routes.ts";
import { openRouterKeyRoutes } from "./openrouter-key-routes.ts";
import { projectRoutes } from "./project-routes.ts";
import { usageRoutes } from "./usage-routes.ts";
import { webhookRoutes } from "./webhook-routes.ts";

export const managementRoutes: readonly ManagementRoute[] = [
  ...accountRoutes,
  ...limitRoutes,
  ...keyRoutes,
  ...projectRoutes,
  ...budgetRoutes,
  ...guardrailRoutes,
  ...memberRoutes,
  ...invitationRoutes,
  ...usageRoutes,
  ...moneyRoutes,
  ...auditRoutes,
  ...webhookRoutes,
  ...openRouterKeyRoutes,
];
