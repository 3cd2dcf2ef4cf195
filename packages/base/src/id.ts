// Identifiers. Rows carry UUIDv7; what callers see (`chatcmpl-…`, `gen-…`) is derived from them,
// so either spelling leads back to the row without a lookup table.

declare const idBrand: unique symbol;
type Id<Name extends string> = string & { readonly [idBrand]: Name };

export type AccountId = Id<"account">;
export type PersonId = Id<"person">;
export type ApiKeyId = Id<"api-key">;
/** A row of `requests`. Not the request id (`req_…`) of an HTTP request, which is plain text. */
export type GenerationId = Id<"generation">;
export type PriceId = Id<"price">;
export type InstanceId = Id<"instance">;
export type LedgerTransactionId = Id<"ledger-transaction">;
export type LeaseId = Id<"lease">;
export type TopUpId = Id<"top-up">;
export type InvitationId = Id<"invitation">;
export type WebhookEndpointId = Id<"webhook-endpoint">;
export type WebhookEventId = Id<"webhook-event">;
/** An event on its way to one endpoint. */
export type WebhookMessageId = Id<"webhook-message">;
export type IdentityId = Id<"identity">;
export type DomainId = Id<"domain">;
export type ManagementKeyId = Id<"management-key">;
export type FactorId = Id<"factor">;
export type ProjectId = Id<"project">;
export type SharedConversationId = Id<"shared-conversation">;
export type ObjectId = Id<"object">;
export type BatchId = Id<"batch">;
export type BudgetId = Id<"budget">;
export type GuardrailId = Id<"guardrail">;
export type AnyId =
  | AccountId
  | PersonId
  | ApiKeyId
  | GenerationId
  | PriceId
  | InstanceId
  | LedgerTransactionId
  | LeaseId
  | TopUpId
  | InvitationId
  | FactorId
  | IdentityId
  | DomainId
  | WebhookEndpointId
  | WebhookEventId
  | WebhookMessageId
  | ManagementKeyId
  | ProjectId
  | BudgetId
  | GuardrailId
  | SharedConversationId
  | ObjectId
  | BatchId;

/** A new UUIDv7 with the brand the caller names. */
export function newId<Kind extends AnyId>(): Kind {
  return Bun.randomUUIDv7() as Kind;
}

/** The default project of an account has the account's id. */
export function defaultProjectOf(accountId: AccountId): ProjectId {
  return accountId as string as ProjectId;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Reads a UUID in its canonical form; undefined for anything else. Guarantees only the shape. */
export function parseId<Kind extends AnyId>(text: string): Kind | undefined {
  return uuidPattern.test(text) ? (text as Kind) : undefined;
}

/** The `id` in the body of a chat completion. */
export function chatIdOf(id: GenerationId): string {
  return `chatcmpl-${id.replaceAll("-", "")}`;
}

/** The `id` in the body of a completion (`/v1/completions`). */
export function completionIdOf(id: GenerationId): string {
  return `cmpl-${id.replaceAll("-", "")}`;
}

/** The `id` in the body of a response (`/v1/responses`). */
export function responseIdOf(id: GenerationId): string {
  return `resp_${id.replaceAll("-", "")}`;
}

/** The `id` in the body of a message (`/v1/messages`). */
export function messageIdOf(id: GenerationId): string {
  return `msg_${id.replaceAll("-", "")}`;
}

/** A generation id as `x-generation-id` and `/v1/generation` write it: `gen-` and 32 hex digits. */
export function formatGenerationId(id: GenerationId): string {
  return `gen-${id.replaceAll("-", "")}`;
}

/** Accepts `gen-…`, the id of an answer (`chatcmpl-…`, `cmpl-…`, `resp_…`, `msg_…`), or the bare UUID. */
export function parseGenerationId(text: string): GenerationId | undefined {
  return (
    parseDigits<GenerationId>(/^(?:gen-|(?:chat)?cmpl-|resp_|msg_)/, text) ??
    parseId<GenerationId>(text)
  );
}

/** The id of a file as OpenAI's clients know it: `file-` and the digits of the object's id. */
export function formatFileId(id: ObjectId): string {
  return `file-${id.replaceAll("-", "")}`;
}

/** Undefined for what is no id of ours. */
export function parseFileId(text: string): ObjectId | undefined {
  return parseDigits<ObjectId>(/^file-/, text);
}

/** The id of a stored response or interaction; it has that of its call. */
export function storedResponseId(id: GenerationId): ObjectId {
  return id as string as ObjectId;
}

/** The call that a stored response answers. */
export function callOfResponse(id: ObjectId): GenerationId {
  return id as string as GenerationId;
}

/** Undefined for what is no id of ours. */
export function parseResponseId(text: string): ObjectId | undefined {
  return parseDigits<ObjectId>(/^resp_/, text);
}

/** Of an interaction, whose id is that of its generation. Undefined for what is no id of ours. */
export function parseInteractionId(text: string): ObjectId | undefined {
  return parseDigits<ObjectId>(/^gen-/, text);
}

/** The id of a conversation as OpenAI's clients know it: `conv_` and the digits of the object's id. */
export function formatConversationId(id: ObjectId): string {
  return `conv_${id.replaceAll("-", "")}`;
}

/** Undefined for what is no id of ours. */
export function parseConversationId(text: string): ObjectId | undefined {
  return parseDigits<ObjectId>(/^conv_/, text);
}

/** The id of a batch as OpenAI's clients know it: `batch_` and the digits of its own. */
export function formatBatchId(id: BatchId): string {
  return `batch_${id.replaceAll("-", "")}`;
}

/** Undefined for what is no id of ours. */
export function parseBatchId(text: string): BatchId | undefined {
  return parseDigits<BatchId>(/^batch_/, text);
}

/** The same as Anthropic's clients know it. */
export function formatMessageBatchId(id: BatchId): string {
  return `msgbatch_${id.replaceAll("-", "")}`;
}

/** Undefined for what is no id of ours. */
export function parseMessageBatchId(text: string): BatchId | undefined {
  return parseDigits<BatchId>(/^msgbatch_/, text);
}

const digits = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** Reads an id written as `prefix`, which begins the text, and its 32 hex digits. */
function parseDigits<Kind extends AnyId>(prefix: RegExp, text: string): Kind | undefined {
  if (!prefix.test(text)) return undefined;
  const parts = digits.exec(text.replace(prefix, ""))?.slice(1);
  return parts && parseId<Kind>(parts.join("-"));
}

/** OpenAI's form of a request id: `req_` and 32 hex digits. */
export function newRequestId(): string {
  return requestIdOf(Bun.randomUUIDv7());
}

/** The request id of a call: the digits of its generation id, so that either id leads to the other. */
export function requestIdOf(id: string): string {
  return `req_${id.replaceAll("-", "")}`;
}
