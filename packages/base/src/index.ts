// What every package builds on: faults, ids, addresses, deadlines.
export {
  type AddressRange,
  countAddresses,
  customerNetwork,
  isInRanges,
  neighborhood,
  networkText,
  normalizeAddress,
  parseAddressRange,
} from "./address-range.ts";
export { unwatchDeadline, type Watched, watchDeadline, withDeadline } from "./deadline.ts";
export { editDistance } from "./edit-distance.ts";
export { type Failpoint, type FailpointName, failpoints, noFailpoint } from "./failpoint.ts";
export {
  clientClosed,
  clockWrong,
  databaseUnavailable,
  Fault,
  type FaultCode,
  type FaultDetails,
  faultCodes,
  overloaded,
  shuttingDown,
  toFault,
  type UpstreamRefusal,
} from "./fault.ts";
export { hashToken, makeToken } from "./hash-token.ts";
export {
  type AccountId,
  type AnyId,
  type ApiKeyId,
  type BatchId,
  type BudgetId,
  callOfResponse,
  chatIdOf,
  completionIdOf,
  type DomainId,
  defaultProjectOf,
  type FactorId,
  formatBatchId,
  formatConversationId,
  formatFileId,
  formatGenerationId,
  formatMessageBatchId,
  type GenerationId,
  type GuardrailId,
  type IdentityId,
  type InstanceId,
  type InvitationId,
  type LeaseId,
  type LedgerTransactionId,
  type ManagementKeyId,
  messageIdOf,
  newId,
  newRequestId,
  type ObjectId,
  type PersonId,
  type PriceId,
  type ProjectId,
  parseBatchId,
  parseConversationId,
  parseFileId,
  parseGenerationId,
  parseId,
  parseInteractionId,
  parseMessageBatchId,
  parseResponseId,
  requestIdOf,
  responseIdOf,
  type SharedConversationId,
  storedResponseId,
  type TopUpId,
  type WebhookEndpointId,
  type WebhookEventId,
  type WebhookMessageId,
} from "./id.ts";
export { isDiskFull } from "./is-disk-full.ts";
export { isNestedDeeper, jsonDepthMax } from "./json-depth.ts";
export { isObject, type JsonObject, parseObject, parseText } from "./json-object.ts";
export { lowerAscii } from "./lower-ascii.ts";
export { lowerThreadPriority } from "./lower-thread-priority.ts";
export { type AbortListener, offSharedAbort, onSharedAbort } from "./on-abort.ts";
export { parseBearer, presentsKey } from "./parse-bearer.ts";
export { cleanName, normalizeName, parseName, quoteName } from "./parse-name.ts";
export { parseTypedCode } from "./parse-typed-code.ts";
export { isPrivateHost } from "./private-host.ts";
export { createSealer, SealBroken, type Sealer } from "./sealer.ts";
export { endsWithChecksum, makeSecretText, maskSecretText } from "./secret-text.ts";
export { type AfterWork, createSlices } from "./slices.ts";
export { findTimeZone, timeZoneOrUtc } from "./time-zone.ts";
