// The current conversation and the earlier ones: every change goes through here, and `keep` stores it.
import { createSignal } from "solid-js";
import { createStore, unwrap } from "solid-js/store";
import type { History } from "../history/history.ts";
import { type Conversation, hasMessages, newConversation } from "./conversation.ts";

export type Conversations = ReturnType<typeof createConversations>;

export function createConversations(history: History, initial: Conversation) {
  const saved = history.read();
  const [conversation, setConversation] = createStore<Conversation>(
    structuredClone(unwrap(initial)),
  );
  const [past, setPast] = createSignal(saved.conversations);
  const [draft, setDraft] = createSignal(saved.draft);
  const save = () => history.write({ conversations: past(), draft: draft() });
  const keep = () => {
    const current = structuredClone(unwrap(conversation));
    const others = past().filter((one) => one.id !== current.id);
    // One whose last message was removed is not kept as it was before.
    setPast(hasMessages(current) ? [current, ...others] : others);
    save();
  };
  const show = (next: Conversation) => setConversation(structuredClone(unwrap(next)));
  const fresh = () => newConversation(conversation.threads.map(({ model }) => model));
  return {
    conversation,
    setConversation,
    past,
    draft,
    setDraft,
    keep,
    fresh,
    open(next: Conversation) {
      keep();
      show(next);
    },
    /** An empty name gives it its first words again. */
    rename(id: string, typed: string) {
      const name = typed.trim() || undefined;
      if (id === conversation.id) setConversation({ name });
      setPast(past().map((one) => (one.id === id ? { ...one, name } : one)));
      save();
    },
    forget(id: string) {
      setPast(past().filter((one) => one.id !== id));
      if (id === conversation.id) show(fresh());
      save();
    },
    /** Takes `forget` back. */
    restore(forgotten: Conversation) {
      const all = [...past(), forgotten];
      setPast(all.toSorted((one, other) => other.updatedAt - one.updatedAt));
      save();
    },
    forgetAll() {
      setPast([]);
      show(fresh());
      history.clear();
    },
  };
}
