// The current conversation and the earlier ones: every change goes through here, and `keep` stores it.
import { createSignal } from "solid-js";
import { createStore, unwrap } from "solid-js/store";
import type { Attachment } from "./attachments.ts";
import { type Conversation, type Message, newConversation, type RunFacts } from "./conversation.ts";
import type { History } from "./history.ts";

export type Conversations = ReturnType<typeof createConversations>;

export function createConversations(history: History, initial: Conversation) {
  const saved = history.read();
  const [conversation, setConversation] = createStore<Conversation>(structuredClone(initial));
  const [past, setPast] = createSignal(saved.conversations);
  const [draft, setDraft] = createSignal(saved.draft);
  const [attached, setAttached] = createSignal<readonly Attachment[]>([]);
  const find = (id: string) => conversation.messages.find((one) => one.id === id);
  const change = (id: string, patch: Partial<Message>) =>
    setConversation("messages", (one) => one.id === id, patch);
  const save = () => history.write({ conversations: past(), draft: draft() });
  const keep = () => {
    const current = structuredClone(unwrap(conversation));
    const others = past().filter((one) => one.id !== current.id);
    // One whose last message was removed is not kept as it was before.
    setPast(current.messages.length > 0 ? [current, ...others] : others);
    save();
  };
  const show = (next: Conversation) => setConversation(structuredClone(unwrap(next)));
  return {
    conversation,
    setConversation,
    past,
    draft,
    setDraft,
    attached,
    setAttached,
    find,
    change,
    changeRun(id: string, patch: Partial<RunFacts>) {
      const run = find(id)?.run;
      if (run) change(id, { run: { ...run, ...patch } });
    },
    setMessages: (messages: readonly Message[]) =>
      setConversation({ messages, updatedAt: Date.now() }),
    /** The index of a message; −1 if it is gone. */
    placeOf: (id: string) => conversation.messages.findIndex((one) => one.id === id),
    keep,
    open(next: Conversation) {
      keep();
      show(next);
    },
    forget(id: string) {
      setPast(past().filter((one) => one.id !== id));
      if (id === conversation.id) show(newConversation(conversation.model));
      save();
    },
    forgetAll() {
      setPast([]);
      show(newConversation(conversation.model));
      history.clear();
    },
  };
}
