// Finds conversations by any words of their name, models and messages.
import { type Conversation, titleOf } from "../conversation/conversation.ts";

export function isFound(conversation: Conversation, sought: string): boolean {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const texts = conversation.threads.flatMap(({ model, messages }) => [
    model,
    ...messages.map(({ text }) => text),
  ]);
  const all = [titleOf(conversation), ...texts].join("\n").toLowerCase();
  return words.every((word) => all.includes(word));
}
