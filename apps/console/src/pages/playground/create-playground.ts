// The Playground: up to four models that get the same questions with the same settings. A chat is a comparison
// with one column.
import { batch, createMemo, createSignal, mapArray, onCleanup } from "solid-js";
import type { Attachment } from "./attachments.ts";
import { type Conversation, newThread, type Parameters } from "./conversation.ts";
import type { AnsweringOptions } from "./create-answering.ts";
import { createColumn } from "./create-column.ts";
import { createConversations } from "./create-conversations.ts";
import type { History } from "./history.ts";

type Options = AnsweringOptions & { readonly history: History; readonly initial: Conversation };

export type Playground = ReturnType<typeof createPlayground>;

export const columnsMax = 4;

export function createPlayground(options: Options) {
  const all = createConversations(options.history, options.initial);
  const { conversation, setConversation } = all;
  const [attached, setAttached] = createSignal<readonly Attachment[]>([]);
  const columns = createMemo(
    mapArray(
      () => conversation.threads,
      (thread) => createColumn(all, thread, options),
    ),
  );
  const running = () => columns().some((column) => column.running() !== undefined);
  const stop = () => {
    for (const column of columns()) column.stop();
  };
  const open = (next: Conversation) => {
    stop();
    all.open(next);
  };
  onCleanup(all.keep);
  return {
    ...all,
    columns,
    attached,
    setAttached,
    running,
    stop,
    /** Asks all of them. A draft that every model refused comes back. */
    async send(): Promise<void> {
      const text = all.draft().trim();
      const files = attached();
      if (text === "" || running()) return;
      const asked = columns();
      all.setDraft("");
      setAttached([]);
      const answered = await Promise.all(asked.map((column) => column.ask(text, files)));
      if (answered.includes(true)) return;
      batch(() => {
        for (const column of asked) column.unask();
        if (all.draft() === "") all.setDraft(text);
        if (attached().length === 0) setAttached(files);
      });
      all.keep();
    },
    /** A new model continues from the messages of the first one. */
    add(model: string) {
      const { threads } = conversation;
      if (threads.length >= columnsMax) return;
      const copied = (threads[0]?.messages ?? []).map((message) => ({
        ...message,
        id: crypto.randomUUID(),
      }));
      setConversation({ threads: [...threads, newThread(model, copied)] });
    },
    removeThread: (id: string) =>
      setConversation({ threads: conversation.threads.filter((thread) => thread.id !== id) }),
    setSystem: (system: string) => setConversation({ system }),
    setParameters: (patch: Partial<Parameters>) =>
      setConversation({ parameters: { ...conversation.parameters, ...patch } }),
    open,
    startNew: () => open(all.fresh()),
    forgetAll() {
      stop();
      all.forgetAll();
    },
  };
}
