// The table of the management API: one small file for each resource, one line here.
import type { ManagementRoute } from "./define-route.ts";
import { keyRoutes } from "./key-routes.ts";

export const managementRoutes: readonly ManagementRoute[] = [...keyRoutes];
