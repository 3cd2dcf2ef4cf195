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
export type {
  AnthropicProvider,
  AttemptLog,
  AzureAddress,
  CancelledStream,
  Dialect,
  DialectRequest,
  FinishWords,
  GoogleProvider,
  OpenaiProvider,
  Provider,
  StreamAnswer,
  StreamEvent,
  UnreadAnswer,
  UpstreamAnswer,
  UpstreamCall,
  UpstreamClient,
  WholeAnswer,
} from "./provider.ts";
export { refuse, unstreamed } from "./refusals/refuse.ts";
export { callUpstream, type UpstreamAttempt } from "./transport/call-upstream.ts";
export { whyBaseUrlRefused } from "./transport/check-base-url.ts";
export { type ConnectionFailure, connectionFailureOf } from "./transport/connection-failure.ts";
export type { Patience } from "./transport/deadlines.ts";
export { type CredentialTrial, tryCredential } from "./transport/try-credential.ts";
export { largeLimits, streamLimits, type UpstreamLimits, wholeLimits } from "./upstream-limits.ts";
export { takesParameter, whyUntranslatable } from "./why-untranslatable.ts";
