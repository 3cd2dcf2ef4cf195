// What of a request and its response is kept, and what they continue. A request that no provider may retain is not kept here either.
import type { ChatRequest } from "../chat/parse-chat-request.ts";

/** What a request wants to be kept and continues; or, in an answer, what was kept of it. */
export type Memory = {
  readonly stores: boolean;
  readonly previousResponseId: string | undefined;
  readonly conversationId: string | undefined;
  /** Its caller does not wait for its end, but may want its events from the first. */
  readonly background: "polled" | "streamed" | undefined;
};

/** What no provider may retain is not kept here either. */
export function isPrivate({ routing }: Pick<ChatRequest, "routing">): boolean {
  return routing?.denyDataCollection === true || routing?.zdr === true;
}
