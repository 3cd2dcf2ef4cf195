// The console API. The console imports types from here and never a value.

export { type AppRouter, appRouter, createCaller } from "./app-router.ts";
export type { ApiContext, ApiServices, PublicConfig } from "./context.ts";
export { deliverToConsole } from "./deliver-to-console.ts";
export { faultOf } from "./fault-to-trpc.ts";
export type {
  ManagementRoute,
  RouteMethod,
} from "./management/define-route.ts";
export { leakReportSchema } from "./management/leak-report.ts";
export { managementRoutes } from "./management/management-routes.ts";
export { metaOfProcedure, writeOpenApi } from "./management/write-openapi.ts";
export { type FaultData, refusalOf } from "./present-fault.ts";
export { statementNameOf, writeStatement } from "./write-statement.ts";
