// Upstream services as data, and the only way to call them.
export { type CacheWrites, cacheWritesOf } from "./cache-writes.ts";
export {
  type AuthScheme,
  type AwsKey,
  authSchemes,
  type Credential,
  type EntraClient,
  noCredential,
  type ServiceAccount,
  secretsOf,
} from "./credentials/credential.ts";
export { dialectKindOf, servesOperation } from "./dialects/dialect-kind.ts";
export { isRelayed } from "./dialects/dialect-of.ts";
export { buildRequest } from "./dialects/openai/build-request.ts";
export { defaultQuirks, type OpenaiQuirks } from "./dialects/openai/quirks.ts";
export { parseVertexModel } from "./dialects/vertex-model.ts";
export {
  azureQuirks,
  defaultAuth,
  type KnownProvider,
  knownProviders,
  type ProviderKind,
  providerKinds,
} from "./known-providers.ts";
export {
  type AnthropicProvider,
  type AttemptLog,
  type AzureAddress,
  type CancelledStream,
  type Dialect,
  type DialectRequest,
  type FinishWords,
  type GoogleProvider,
  largeLimits,
  type OpenaiProvider,
  type Provider,
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
export { refuse, unstreamed } from "./refusals/refuse.ts";
export { callUpstream, type UpstreamAttempt } from "./transport/call-upstream.ts";
export { whyBaseUrlRefused } from "./transport/check-base-url.ts";
export { type ConnectionFailure, connectionFailureOf } from "./transport/connection-failure.ts";
export type { Patience } from "./transport/deadlines.ts";
export { type CredentialTrial, tryCredential } from "./transport/try-credential.ts";
export { takesParameter, whyUntranslatable } from "./why-untranslatable.ts";
