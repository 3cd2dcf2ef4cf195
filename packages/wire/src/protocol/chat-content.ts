// A whole answer to a chat, for the protocols of chats: a dialect of another operation answers none of them.
import type { AnswerContent, ChatContent } from "./pivot.ts";

export function chatContent(content: AnswerContent): ChatContent {
  if (content.kind === "body" || content.kind === "deltas") return content;
  throw new Error(`a ${content.kind} answered a chat`);
}
