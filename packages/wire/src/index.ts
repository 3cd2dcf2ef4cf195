// The front door: what travels between a client and us, read, edited and presented.

export { type ChatRequest, parseChatRequest } from "./chat/parse-chat-request.ts";
export { usageBody, usageChunk } from "./chat/present-usage.ts";
export {
  editJsonObject,
  type JsonEdits,
  type JsonMember,
  type JsonMembers,
  memberText,
  scanJsonObject,
} from "./edit-json-object.ts";
export { answerForFault, errorEvent, type FaultAnswer, faultStatus } from "./fault-answer.ts";
export {
  type CreditsView,
  creditsBody,
  type KeyPeriod,
  type KeyView,
  keyBody,
} from "./present-account.ts";
export { type ErrorView, errorBody } from "./present-error.ts";
export {
  type GenerationAttempt,
  type GenerationView,
  generationBody,
} from "./present-generation.ts";
export { type ModelView, modelList, modelObject, supportedParameters } from "./present-models.ts";
export { SseSplitter, sseData, sseDone, sseKeepAlive } from "./sse.ts";
export type { TokenUsage } from "./token-usage.ts";
