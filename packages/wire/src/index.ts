// The language between clients and this gateway: protocols, errors and the shapes of `/v1`.

export { answerHead } from "./answer-head.ts";
export type { Bounds, FieldBounds, TextBounds } from "./bounds.ts";
export { asOpenRouter, chatProtocol, showsNoUsageYet } from "./chat/chat-protocol.ts";
export { exactPivot } from "./chat/exact-pivot.ts";
export { currentNameOf } from "./chat/former-functions.ts";
export {
  type ChatRequest,
  parseChatRequest,
  type Untranslatable,
} from "./chat/parse-chat-request.ts";
export { usageBody, usageChunk } from "./chat/present-usage.ts";
export type { PriceChange } from "./chat/price-changing-fields.ts";
export { completionsProtocol } from "./completions/completions-protocol.ts";
export { conversationOf } from "./conversation-of.ts";
export {
  editJsonObject,
  findMembers,
  type JsonEdits,
  type JsonMember,
  type JsonMembers,
  memberText,
} from "./edit-json-object.ts";
export { embeddingsProtocol } from "./embeddings/embeddings-protocol.ts";
export {
  type EmbeddingsRequest,
  type EncodingFormat,
  parseEmbeddingsRequest,
} from "./embeddings/parse-embeddings-request.ts";
export { type ErrorFormat, openaiErrors } from "./error-format.ts";
export { parseExactly, parseExactObject } from "./exact-numbers.ts";
export {
  answerForFault,
  errorEvent,
  type FaultAnswer,
  faultStatus,
  statusOfFault,
} from "./fault-answer.ts";
export {
  asksForNothing,
  gatewayFieldNames,
  isCarried,
  isDocumentedField,
  isListedField,
  isPreference,
  namesIn,
  openaiHints,
  openaiIdentifiers,
  preferenceNames,
  renamedFor,
  samplingNames,
  sharedGatewayFieldNames,
} from "./fields/known-fields.ts";
export {
  declarableParameters,
  fieldOfParameter,
  findUnsupportedParameter,
  isOpenaisParameter,
  rateOfField,
  reasoningParameters,
  supportedParameters,
} from "./fields/listed-parameters.ts";
export type { DialectName } from "./fields/request-field.ts";
export { findModel } from "./find-model.ts";
export { findUnlistedField } from "./find-unlisted-field.ts";
export {
  chatLanguage,
  embeddingsLanguage,
  messagesLanguage,
  responsesLanguage,
} from "./languages.ts";
export { kindOfAddress, type MediaKind, mediaTypeOf, properType } from "./media-type.ts";
export { anthropicErrors } from "./messages/anthropic-errors.ts";
export { messagesProtocol } from "./messages/messages-protocol.ts";
export { parseCountRequest } from "./messages/parse-messages-request.ts";
export { modelInfo, modelInfoPage } from "./messages/present-model-infos.ts";
export { appOf, endUserOf } from "./name-caller.ts";
export { nameForCaller, namesForCaller, renameParam } from "./name-for-caller.ts";
export { openrouterErrors } from "./openrouter-errors.ts";
export { parseAnyRequest } from "./parse-any-request.ts";
export type {
  AnswerContent,
  AnswerStamp,
  Bill,
  DeltaEvent,
  FinishReason,
  ParsedRequest,
  TokenUsage,
} from "./pivot.ts";
export {
  type CreditsView,
  creditsBody,
  type KeyPeriod,
  type KeyView,
  keyBody,
} from "./present-account.ts";
export { type EndpointView, endpointsBody, providersBody } from "./present-endpoints.ts";
export { type ErrorView, errorBody } from "./present-error.ts";
export { type EstimateView, estimateBody } from "./present-estimate.ts";
export {
  type GenerationAttempt,
  type GenerationView,
  generationBody,
} from "./present-generation.ts";
export {
  inputModalities,
  type ListedModel,
  type ModelView,
  modelList,
  modelObject,
  outputModalities,
} from "./present-models.ts";
export type {
  ItemProtocol,
  PromptSize,
  Protocol,
  StreamProtocol,
  StreamWriter,
} from "./protocol.ts";
export { readMaxCost } from "./read-max-cost.ts";
export {
  type MaxPrice,
  noPreferences,
  type RouteSort,
  type RoutingPreferences,
} from "./read-provider-preferences.ts";
export { receiptClaims } from "./receipt-claims.ts";
export { requestBounds } from "./request-bounds.ts";
export { isOpenRouterClient } from "./request-headers.ts";
export { compactionLanguage } from "./responses/compaction.ts";
export type { ItemReferences } from "./responses/item-reference.ts";
export {
  parseResponsesRequest,
  type ResponsesRequest,
} from "./responses/parse-responses-request.ts";
export { absentMembers } from "./responses/present-response.ts";
export { relayableInput } from "./responses/relay-input.ts";
export {
  keepingNothing,
  responsesItems,
  responsesProtocol,
} from "./responses/responses-protocol.ts";
export { restampAnswer } from "./restamp-answer.ts";
export { selectModels } from "./select-models.ts";
export {
  findServiceTier,
  type RequestedTier,
} from "./service-tier.ts";
export { setInnerMembers, setMembers } from "./set-members.ts";
export { isSseDone, SseSplitter, sseData, sseDone, sseEvent, sseKeepAlive } from "./sse.ts";
export { wireSchemas } from "./wire-schemas.ts";
