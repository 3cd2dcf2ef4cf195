// One completion, from the request's text to its bill.
export {
  type BackgroundBounds,
  BackgroundCalls,
  type LeaveBackground,
} from "./background-calls.ts";
export type { BodyPlace } from "./body-place.ts";
export { CallRecord } from "./call-record.ts";
export { complete } from "./complete.ts";
export { CountBudget } from "./count-budget.ts";
export { countTokens, type TokenCount } from "./count-tokens.ts";
export { type CostEstimate, estimateCost } from "./estimate-cost.ts";
export {
  type Answer,
  type AuthenticatedCall,
  type Call,
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
export { RateLimiter } from "./limit-rates.ts";
export { refuseCall } from "./refuse-call.ts";
export { refuseStopped } from "./refuse-hold.ts";
export { keepRouteHealth } from "./routing/keep-route-health.ts";
export { keepStatus, purgeStatus } from "./routing/keep-status.ts";
export { RetryBudget } from "./routing/retry-budget.ts";
export { RouteHealthBook, type RouteLimits } from "./routing/route-health.ts";
export type { StatusTally } from "./routing/status-tally.ts";
export { type CachedFacts, serveCached } from "./serve-cached.ts";
export {
  admitCall,
  LoadShedder,
  loadLimits,
  type Obstacle,
  refusalFor,
  watchLoad,
} from "./shed-load.ts";
