export {
  editJsonObject,
  type JsonEdits,
  type JsonMember,
  type JsonMembers,
  memberText,
  scanJsonObject,
} from "./edit-json-object.ts";
export { type ChatRequest, parseChatRequest } from "./parse-chat-request.ts";
export { SseSplitter, sseData, sseDone, sseKeepAlive } from "./sse.ts";
export type { TokenUsage } from "./token-usage.ts";
