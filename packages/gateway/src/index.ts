// The front door: one completion, from its key to its bill.
export { type BackgroundBounds, BackgroundCalls } from "./background-calls.ts";
export { completeChat } from "./complete.ts";
export {
  type ChatAnswer,
  type ChatCall,
  type Gateway,
  type GatewayLimits,
  type GatewayTimes,
  gatewayLimits,
  gatewayTimes,
  type Spender,
} from "./gateway.ts";
export { RateLimiter } from "./limit-rates.ts";
export { readCredits, readGeneration, readKeyUsage } from "./read-account.ts";
export { LoadShedder, loadLimits, overloaded, watchLoad } from "./shed-load.ts";
