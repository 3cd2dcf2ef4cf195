// One model of the Playground: its thread, its running answer, and what a person does with them.
import type { Accessor } from "solid-js";
import { createSignal, onCleanup } from "solid-js";
import { api } from "../../../lib/api.ts";
import { useQuery } from "../../../lib/use-query.ts";
import { type AnsweringOptions, createAnswering } from "../answers/create-answering.ts";
import type { Attachment } from "../composer/attachments.ts";
import { type Model, newMessage, type Thread } from "../conversation/conversation.ts";
import type { Conversations } from "../conversation/create-conversations.ts";
import { createThread } from "../conversation/create-thread.ts";

export type Column = ReturnType<typeof createColumn>;

/** One that is only read has its thread, and nothing to do with it. */
export type ShownColumn = Pick<Column, "thread"> & Partial<Column>;

type ColumnOptions = AnsweringOptions & {
  readonly onChooseModel: (thread: Thread) => void;
  /** To send again what came back as the draft. */
  readonly onSend: () => void;
};

export function createColumn(all: Conversations, thread: Thread, options: ColumnOptions) {
  const one = createThread(all, thread);
  const answering = createAnswering(one, options);
  const { running, stop, answer } = answering;
  const [editing, setEditing] = createSignal<string>();
  const placeOf = (id: string) => thread.messages.findIndex((message) => message.id === id);
  onCleanup(stop);
  return {
    ...one,
    ...answering,
    /** The model as the next request is billed; undefined while that is not known. */
    priced: usePriced(
      () => options.modelOf(thread.model),
      () => all.conversation.parameters.provider,
    ),
    /** After the chosen provider failed: asks the others too. */
    useAnyProvider() {
      all.setConversation({ parameters: { ...all.conversation.parameters, provider: "" } });
      if (thread.messages.at(-1)?.role === "user") void answer();
      else options.onSend();
    },
    chooseModel: () => options.onChooseModel(thread),
    /** The message that is being edited. */
    editing,
    setEditing,
    editLast: () => setEditing(thread.messages.findLast(({ role }) => role === "user")?.id),
    /** Resolves to false if it was refused before the first token. */
    ask(text: string, attachments?: readonly Attachment[]) {
      one.setMessages([...thread.messages, newMessage("user", text, attachments)]);
      return answer();
    },
    /** Takes back a question without an answer. */
    unask() {
      if (thread.messages.at(-1)?.role === "user") one.setMessages(thread.messages.slice(0, -1));
    },
    /** Regenerates this answer and drops everything after it. */
    regenerate(id: string) {
      const at = placeOf(id);
      if (at === -1 || running() !== undefined) return;
      one.setMessages(thread.messages.slice(0, at));
      void answer();
    },
    /** An edited question is asked again; an edited answer only changes what the model remembers. */
    edit(id: string, text: string) {
      const at = placeOf(id);
      if (at === -1 || running() !== undefined) return;
      one.change(id, { text });
      if (thread.messages[at]?.role === "assistant") return one.keep();
      one.setMessages(thread.messages.slice(0, at + 1));
      void answer();
    },
    remove(id: string) {
      if (running() === id) stop();
      one.setMessages(thread.messages.filter((message) => message.id !== id));
      one.keep();
    },
    /** The tool's result, entered by the person. */
    setResult(id: string, callId: string, result: string) {
      const toolCalls = one
        .find(id)
        ?.toolCalls.map((call) => (call.id === callId ? { ...call, result } : call));
      if (toolCalls) one.change(id, { toolCalls });
    },
  };
}

/**
 * A model with what it costs at the provider that a person chose, whose route may have prices of its own. Undefined while
 * the prices are not known.
 */
function usePriced(
  model: Accessor<Model | undefined>,
  provider: Accessor<string>,
): Accessor<Model | undefined> {
  const isChosen = () => model()?.providers.includes(provider()) ?? false;
  const detail = useQuery(() => {
    const id = model()?.id ?? "";
    return {
      queryKey: ["models", "detail", id],
      queryFn: ({ signal }) => api.models.detail.query({ id }, { signal }),
      enabled: isChosen(),
    };
  });
  return () => {
    const listed = model();
    if (listed === undefined || !isChosen()) return listed;
    const route = detail.data?.routes.find((each) => each.provider === provider());
    if (route === undefined) return undefined;
    const { longPrompts, ...others } = listed;
    return route.prices === null ? listed : { ...others, prices: route.prices };
  };
}
