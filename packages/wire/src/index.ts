// The language between clients and this gateway: protocols, errors and the shapes of `/v1`.

export { aiGatewayErrors } from "./ai-gateway/ai-gateway-errors.ts";
export type { Specification } from "./ai-gateway/call-notes.ts";
export { embeddingProtocol } from "./ai-gateway/embedding-protocol.ts";
export { imageProtocol } from "./ai-gateway/image-protocol.ts";
export { languageProtocol } from "./ai-gateway/language-protocol.ts";
export type { CallTarget } from "./ai-gateway/operation-call.ts";
export { gatewayConfig } from "./ai-gateway/present-config.ts";
export { rerankingProtocol } from "./ai-gateway/reranking-protocol.ts";
export { speechModelProtocol } from "./ai-gateway/speech-protocol.ts";
export { transcriptionModelProtocol } from "./ai-gateway/transcription-protocol.ts";
export * from "./batches/message-batches.ts";
export * from "./batches/openrouter-batches.ts";
export {
  type BatchEndpoint,
  type BatchFields,
  batchEndpoints,
  parseBatchQuery,
} from "./batches/parse-batch-fields.ts";
export { parseNewBatch } from "./batches/parse-new-batch.ts";
export { type BatchView, batchBody, batchListBody } from "./batches/present-batch.ts";
export { conversationOf } from "./caller/conversation-of.ts";
export { findModel } from "./caller/find-model.ts";
export { appOf, endUserOf } from "./caller/name-caller.ts";
export { nameForCaller, namesForCaller, renameParam } from "./caller/name-for-caller.ts";
export { parseMaxCost } from "./caller/parse-max-cost.ts";
export {
  type MaxPrice,
  noPreferences,
  type RouteSort,
  type RoutingPreferences,
} from "./caller/parse-provider-preferences.ts";
export {
  findServiceTier,
  type RequestedTier,
} from "./caller/service-tier.ts";
export { asOpenRouter, chatProtocol, showsNoUsageYet } from "./chat/chat-protocol.ts";
export { exactPivot } from "./chat/exact-pivot.ts";
export { currentNameOf } from "./chat/former-functions.ts";
export { type ChatRequest, parseChatRequest } from "./chat/parse-chat-request.ts";
export { usageBody, usageChunk } from "./chat/present-usage.ts";
export type { PriceChange } from "./chat/price-changing-fields.ts";
export type { Bounds, FieldBounds, TextBounds } from "./checks/bounds.ts";
export { findUnlistedField } from "./checks/find-unlisted-field.ts";
export { kindOfAddress, type MediaKind, mediaTypeOf, properType } from "./checks/media-type.ts";
export { requestBounds } from "./checks/request-bounds.ts";
export { completionsProtocol } from "./completions/completions-protocol.ts";
export { embeddingsProtocol } from "./embeddings/embeddings-protocol.ts";
export {
  type EmbeddingsRequest,
  type EncodingFormat,
  parseEmbeddingsRequest,
} from "./embeddings/parse-embeddings-request.ts";
export { type ErrorFormat, openaiErrors } from "./errors/error-format.ts";
export {
  answerForFault,
  type ErrorView,
  errorBody,
  errorEvent,
  type FaultAnswer,
  faultStatus,
  statusOfFault,
} from "./errors/fault-answer.ts";
export { openrouterErrors } from "./errors/openrouter-errors.ts";
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
export { givenPreferences, type OperationFields } from "./fields/operations/operation-field.ts";
export { operationFields } from "./fields/operations/operation-fields.ts";
export type { DialectName } from "./fields/request-field.ts";
export {
  type FilePlace,
  fillFilePlaces,
  findFilePlaces,
  whyNotTaken,
} from "./files/find-file-places.ts";
export type { NamedFile } from "./files/naming-parts.ts";
export {
  batchKeptSeconds,
  type FileFields,
  type FilePurpose,
  type FileQuery,
  fileFormShapes,
  filePurposes,
  parseFileFields,
  parseFileQuery,
} from "./files/parse-file-fields.ts";
export { deletedFileBody, type FileView, fileBody, fileListBody } from "./files/present-file.ts";
export { embedProtocol } from "./gemini/embed-protocol.ts";
export { geminiProtocol } from "./gemini/gemini-protocol.ts";
export type { GeminiFraming } from "./gemini/gemini-stream.ts";
export { googleErrors } from "./gemini/google-errors.ts";
export {
  type GeminiRequest,
  type GeminiTarget,
  modelOf,
  parseCountedContents,
} from "./gemini/parse-gemini-request.ts";
export { geminiModel, geminiModelPage } from "./gemini/present-gemini-models.ts";
export {
  isSealedSignature,
  markSignature,
  missingSignature,
  parseSignature,
  signedMembers,
} from "./gemini/thought-signature.ts";
export { imageEditsProtocol, imagesProtocol } from "./images/images-protocol.ts";
export type { ImageReference, ImageRequest } from "./images/parse-image-request.ts";
export { interactionsProtocol } from "./interactions/interactions-protocol.ts";
export { interactionsMemory, readStoredInteraction } from "./interactions/stored-interaction.ts";
export {
  editJsonObject,
  findMembers,
  type JsonEdits,
  type JsonMember,
  type JsonMembers,
  memberText,
} from "./json/edit-json-object.ts";
export { parseExactly, parseExactObject } from "./json/exact-numbers.ts";
export { setInnerMembers, setMembers } from "./json/set-members.ts";
export { anthropicErrors } from "./messages/anthropic-errors.ts";
export { messagesProtocol } from "./messages/messages-protocol.ts";
export { parseCountRequest } from "./messages/parse-messages-request.ts";
export { modelInfo, modelInfoPage } from "./messages/present-model-infos.ts";
export { moderationProtocol } from "./moderations/moderation-protocol.ts";
export type { ModerationRequest } from "./moderations/parse-moderation-request.ts";
export {
  createMemoryStore,
  type FileBytes,
  type FileStore,
  headMaxBytes,
} from "./multipart/file-bytes.ts";
export { filenameWith } from "./multipart/filename.ts";
export type { FieldShape, FieldShapes } from "./multipart/form-fields.ts";
export { openSpool, type Spool, type SpoolOptions } from "./multipart/open-spool.ts";
export { isMultipart } from "./multipart/parse-boundary.ts";
export {
  type FileBounds,
  type FormFile,
  type MultipartForm,
  type MultipartOptions,
  readMultipart,
  readMultipartInto,
} from "./multipart/read-multipart.ts";
export { type UploadBody, uploadBody } from "./multipart/upload-body.ts";
export { type PlaceFile, writeJsonUpload } from "./multipart/write-json-upload.ts";
export { formEntries, type SentFile, writeMultipart } from "./multipart/write-multipart.ts";
export type { InputPart } from "./operations/input-part.ts";
export type { InputSize } from "./operations/input-size.ts";
export {
  describeOperationForm,
  describeOperationRequest,
} from "./operations/operation-schemas.ts";
export {
  type CreditsView,
  creditsBody,
  type KeyPeriod,
  type KeyView,
  keyBody,
} from "./present/present-account.ts";
export { type EndpointView, endpointsBody, providersBody } from "./present/present-endpoints.ts";
export { type EstimateView, estimateBody } from "./present/present-estimate.ts";
export {
  type GenerationAttempt,
  type GenerationView,
  generationBody,
} from "./present/present-generation.ts";
export { imageEndpointsBody } from "./present/present-image-endpoints.ts";
export {
  inputModalities,
  type ListedModel,
  type ModelView,
  modelList,
  modelObject,
  outputModalities,
} from "./present/present-models.ts";
export { receiptClaims } from "./present/receipt-claims.ts";
export { selectModels } from "./present/select-models.ts";
export { wireSchemas } from "./present/wire-schemas.ts";
export { answerHead } from "./protocol/answer-head.ts";
export { EventCutter } from "./protocol/event-cutter.ts";
export {
  chatLanguage,
  embeddingsLanguage,
  geminiLanguage,
  imagesLanguage,
  interactionsLanguage,
  messagesLanguage,
  moderationsLanguage,
  rerankLanguage,
  responsesLanguage,
  speechLanguage,
  transcriptionsLanguage,
} from "./protocol/languages.ts";
export { isPrivate, type Memory, type MemoryLanguage } from "./protocol/memory.ts";
export { parseAnyRequest } from "./protocol/parse-any-request.ts";
export type {
  AnswerContent,
  AnswerIdentity,
  Bill,
  DeltaEvent,
  FinishReason,
  GeneratedImage,
  ParsedRequest,
  RankedDocument,
  TokenUsage,
  TranscriptSegment,
} from "./protocol/pivot.ts";
export type {
  FilesInJson,
  FormProtocol,
  ItemProtocol,
  PromptSize,
  Protocol,
  StreamProtocol,
  StreamWriter,
} from "./protocol/protocol.ts";
export { replaceIdentity } from "./protocol/replace-identity.ts";
export { isOpenRouterClient } from "./protocol/request-headers.ts";
export {
  isSseDone,
  SseSplitter,
  sseData,
  sseDone,
  sseEvent,
  sseKeepAlive,
} from "./protocol/sse.ts";
export type { UploadedFile, UploadedForm } from "./protocol/uploaded-form.ts";
export type { RerankRequest } from "./rerank/parse-rerank-request.ts";
export { rerankProtocol } from "./rerank/rerank-protocol.ts";
export * as backgroundResponse from "./responses/background-response.ts";
export { compactProtocol } from "./responses/compact-protocol.ts";
export { compactionLanguage } from "./responses/compaction.ts";
export {
  conversationBody,
  deletedConversationBody,
  parseNewConversation,
  parseNewItems,
  parseNewMetadata,
} from "./responses/conversation-body.ts";
export { collectPage, itemListBody, parseItemQuery } from "./responses/item-list.ts";
export type { ItemReferences } from "./responses/item-reference.ts";
export {
  parseResponsesRequest,
  type ResponsesRequest,
} from "./responses/parse-responses-request.ts";
export { absentMembers, presentMemory } from "./responses/present-response.ts";
export { relayableInput } from "./responses/relay-input.ts";
export { responsesMemory } from "./responses/responses-memory.ts";
export {
  keepingNothing,
  responsesItems,
  responsesProtocol,
} from "./responses/responses-protocol.ts";
export {
  parseAnswered,
  presentItem,
  readStoredResponse,
  readStoredTurn,
  type StoredTurn,
  withIds,
  writeStoredResponse,
  writeStoredTurn,
} from "./responses/stored-turn.ts";
export type { SpeechFormat, SpeechRequest } from "./speech/parse-speech-request.ts";
export { speechProtocol } from "./speech/speech-protocol.ts";
export {
  transcriptionProtocol,
  translationProtocol,
} from "./transcriptions/transcription-protocol.ts";
export {
  fieldOfTimes,
  type TranscriptFormat,
  type TranscriptionRequest,
} from "./transcriptions/transcription-request.ts";
