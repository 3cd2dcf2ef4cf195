// One completion, from the request's text to its bill.

export type { BodySlot } from "./admission/body-slot.ts";
export {
  admitCall,
  LoadShedder,
  loadLimits,
  type Obstacle,
  refusalFor,
  watchLoad,
} from "./admission/shed-load.ts";
export { complete } from "./complete.ts";
export {
  type BackgroundBounds,
  BackgroundCalls,
  type LeaveBackground,
} from "./ending/background-calls.ts";
export { refuseCall } from "./ending/refuse-call.ts";
export { type CachedFacts, serveCached } from "./ending/serve-cached.ts";
export { CountBudget } from "./estimate/count-budget.ts";
export { countTokens, type TokenCount } from "./estimate/count-tokens.ts";
export { type CostEstimate, estimateCost } from "./estimate/estimate-cost.ts";
export {
  type Answer,
  type AuthenticatedCall,
  type Call,
  CallRecord,
  type EndSignal,
  type Gateway,
  type GatewayLimits,
  type GatewayTimes,
  gatewayLimits,
  gatewayTimes,
  type IncomingCall,
  type Principal,
  type StreamEnding,
} from "./gateway.ts";
export { stoppedFault } from "./money/hold-fault.ts";
export { RateLimiter } from "./rates/limit-rates.ts";
export { persistRouteHealth } from "./routing/persist-route-health.ts";
export { persistStatus, purgeStatus } from "./routing/persist-status.ts";
export { RetryBudget } from "./routing/retry-budget.ts";
export { RouteHealthBook, type RouteLimits } from "./routing/route-health.ts";
export type { StatusTally } from "./routing/status-tally.ts";
export { costHeader } from "./stated-cost.ts";
