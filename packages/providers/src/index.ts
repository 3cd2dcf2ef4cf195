// The front door: upstream services as data, and the one way to call them.
export { ask, type UpstreamRequest } from "./dialects/openai/ask.ts";
export { defaultQuirks, type KnownProvider, knownProviders } from "./known-providers.ts";
export {
  type Provider,
  type ProviderQuirks,
  type StreamAnswer,
  type StreamEvent,
  streamLimits,
  type UnreadAnswer,
  type UpstreamAnswer,
  type UpstreamCall,
  type UpstreamClient,
  type UpstreamLimits,
  type WholeAnswer,
  wholeLimits,
} from "./provider.ts";
export { refuse } from "./refusals/refuse.ts";
export { type CallOptions, callUpstream } from "./transport/call-upstream.ts";
export { whyBaseUrlRefused } from "./transport/check-base-url.ts";
