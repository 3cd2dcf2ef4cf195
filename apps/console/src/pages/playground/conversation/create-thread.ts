// One thread of the conversation: reading and changing its messages. A change to a thread that was removed is ignored.
import type { Asked, Message, RunFacts, Thread } from "./conversation.ts";
import type { Conversations } from "./create-conversations.ts";

export type OneThread = ReturnType<typeof createThread>;

export function createThread(all: Conversations, thread: Thread) {
  const { conversation, setConversation, keep } = all;
  const isThis = ({ id }: Thread) => id === thread.id;
  const find = (id: string) => thread.messages.find((one) => one.id === id);
  const change = (id: string, patch: Partial<Message>) =>
    setConversation("threads", isThis, "messages", (one) => one.id === id, patch);
  return {
    thread,
    keep,
    asked: (): Asked => ({ ...conversation, ...thread }),
    find,
    change,
    changeRun(id: string, patch: Partial<RunFacts>) {
      const run = find(id)?.run;
      if (run) change(id, { run: { ...run, ...patch } });
    },
    setMessages(messages: readonly Message[]) {
      setConversation("threads", isThis, { messages });
      setConversation({ updatedAt: Date.now() });
    },
  };
}
