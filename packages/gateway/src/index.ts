// One completion, from the request's text to its bill.

export type { BodyPlace } from "./admission/body-place.ts";
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
export { refuseStopped } from "./money/refuse-hold.ts";
export { RateLimiter } from "./rates/limit-rates.ts";
export { keepRouteHealth } from "./routing/keep-route-health.ts";
export { keepStatus, purgeStatus } from "./routing/keep-status.ts";
export { RetryBudget } from "./routing/retry-budget.ts";
export { RouteHealthBook, type RouteLimits } from "./routing/route-health.ts";
export type { StatusTally } from "./routing/status-tally.ts";
