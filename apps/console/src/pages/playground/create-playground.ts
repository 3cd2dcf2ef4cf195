// The actions of the Playground, on the conversation and the running answer.
import { onCleanup } from "solid-js";
import { type Conversation, newConversation, newMessage, type Parameters } from "./conversation.ts";
import { type AnsweringOptions, createAnswering } from "./create-answering.ts";
import { createConversations } from "./create-conversations.ts";
import type { History } from "./history.ts";

type Options = AnsweringOptions & { readonly history: History; readonly initial: Conversation };

export type Playground = ReturnType<typeof createPlayground>;

export function createPlayground(options: Options) {
  const all = createConversations(options.history, options.initial);
  const answering = createAnswering(all, options);
  const { conversation, setConversation } = all;
  const { running, stop } = answering;
  const ask = (text: string, returned?: string) => {
    const attachments = returned === undefined ? [] : all.attached();
    if (returned !== undefined) all.setAttached([]);
    all.setMessages([...conversation.messages, newMessage("user", text, attachments)]);
    void answering.answer(returned);
  };
  const open = (next: Conversation) => {
    stop();
    answering.dismiss();
    all.open(next);
  };
  onCleanup(() => {
    stop();
    all.keep();
  });
  return {
    ...all,
    ...answering,
    ...createEdits(all, answering),
    /** Sends the draft. */
    send() {
      const text = all.draft().trim();
      if (text === "" || running() !== undefined) return;
      all.setDraft("");
      ask(text, text);
    },
    /** Sends this text instead of the draft. */
    say(text: string) {
      if (running() === undefined) ask(text);
    },
    setModel: (model: string) => setConversation({ model }),
    setSystem: (system: string) => setConversation({ system }),
    setParameters: (patch: Partial<Parameters>) =>
      setConversation({ parameters: { ...conversation.parameters, ...patch } }),
    open,
    startNew: () => open(newConversation(conversation.model)),
    forgetAll() {
      stop();
      all.forgetAll();
    },
  };
}

function createEdits(
  all: ReturnType<typeof createConversations>,
  { running, stop, answer }: ReturnType<typeof createAnswering>,
) {
  const { conversation, setConversation, placeOf } = all;
  return {
    /** Regenerates this answer and drops everything after it. */
    regenerate(id: string) {
      const at = placeOf(id);
      if (at === -1 || running() !== undefined) return;
      all.setMessages(conversation.messages.slice(0, at));
      void answer();
    },
    /** An edited question is asked again; an edited answer only changes what the model remembers. */
    edit(id: string, text: string) {
      const at = placeOf(id);
      if (at === -1 || running() !== undefined) return;
      all.change(id, { text });
      if (conversation.messages[at]?.role === "assistant") return all.keep();
      all.setMessages(conversation.messages.slice(0, at + 1));
      void answer();
    },
    remove(id: string) {
      if (running() === id) stop();
      all.setMessages(conversation.messages.filter((one) => one.id !== id));
      all.keep();
    },
    /** The tool's result, entered by the person. */
    setResult(id: string, callId: string, result: string) {
      const toolCalls = all
        .find(id)
        ?.toolCalls.map((call) => (call.id === callId ? { ...call, result } : call));
      if (toolCalls) {
        setConversation("messages", (one) => one.id === id, { toolCalls });
      }
    },
  };
}
