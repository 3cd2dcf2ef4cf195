// The Playground: up to four models that get the same questions with the same settings. A chat is a comparison
// with one column.
import { type Accessor, batch, createMemo, createSignal, mapArray, onCleanup } from "solid-js";
import type { AnsweringOptions } from "./answers/create-answering.ts";
import { createColumn } from "./columns/create-column.ts";
import type { Attachment } from "./composer/attachments.ts";
import {
  type Conversation,
  can,
  columnsMax,
  type Model,
  newThread,
  type Parameters,
  type Thread,
} from "./conversation/conversation.ts";
import { createConversations } from "./conversation/create-conversations.ts";
import type { History } from "./history/history.ts";
import { checkParameters, type ParameterErrors } from "./parameters/check-parameters.ts";

type Options = Pick<AnsweringOptions, "askCharge" | "onEnd"> & {
  readonly history: History;
  readonly initial: Conversation;
  /** Those that can be chosen. */
  readonly models: Accessor<readonly Model[]>;
};

/** A dialog; the one that chooses a model is named by the thread it is for. */
export type Sheet = "parameters" | "code" | "history" | Thread;

export type Playground = ReturnType<typeof createPlayground>;

export function createPlayground(options: Options) {
  const all = createConversations(options.history, options.initial);
  const { conversation, setConversation } = all;
  const [attached, setAttached] = createSignal<readonly Attachment[]>([]);
  const [sheet, setSheet] = createSignal<Sheet>();
  const modelOf = (id: string) => options.models().find((model) => model.id === id);
  const columns = createMemo(
    mapArray(
      () => conversation.threads,
      (thread) =>
        createColumn(all, thread, {
          ...options,
          modelOf,
          onChooseModel: setSheet,
          onSend: () => void send(),
        }),
    ),
  );
  const chosen = createMemo(() => columns().map(({ thread }) => modelOf(thread.model)));
  const running = () => columns().some((column) => column.running() !== undefined);
  const stop = () => {
    for (const column of columns()) column.stop();
  };
  const open = (next: Conversation) => {
    stop();
    all.open(next);
  };
  /** Asks all of them. A draft that every model refused comes back. */
  const send = async (): Promise<void> => {
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
  };
  onCleanup(all.keep);
  return {
    ...all,
    columns,
    models: options.models,
    modelOf,
    nameOf: (id: string) => modelOf(id)?.name ?? id,
    /** The models of the columns; undefined for one that is no longer offered. */
    chosen,
    errors: createMemo(() => checkAll(conversation.parameters, chosen())),
    /** The dialog that is open. */
    sheet,
    setSheet,
    attached,
    setAttached,
    running,
    stop,
    send,
    ...changeThreads(all),
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

function checkAll(parameters: Parameters, models: readonly (Model | undefined)[]): ParameterErrors {
  const found = models.map((model) => {
    // A model without JSON mode is sent no schema.
    const json = parameters.json && can(model, "json_schema");
    return checkParameters({ ...parameters, json }, model?.maxOutputTokens ?? undefined);
  });
  return Object.assign({}, ...found);
}

function changeThreads({ conversation, setConversation }: ReturnType<typeof createConversations>) {
  const setModel = (id: string, model: string) =>
    setConversation("threads", (thread) => thread.id === id, { model });
  /** A new model continues from the messages of the first one. */
  const add = (model: string) => {
    const { threads } = conversation;
    if (threads.length >= columnsMax) return;
    const copied = (threads[0]?.messages ?? []).map((message) => ({
      ...message,
      id: crypto.randomUUID(),
    }));
    setConversation({ threads: [...threads, newThread(model, copied)] });
  };
  return {
    setModel,
    add,
    removeThread: (id: string) =>
      setConversation({ threads: conversation.threads.filter((thread) => thread.id !== id) }),
    /** Of the only column; a comparison gets one more, or another first one if it is full. */
    choose(model: string) {
      const { threads } = conversation;
      const [first] = threads;
      if (first === undefined || threads.some((thread) => thread.model === model)) return;
      if (threads.length === 1 || threads.length >= columnsMax) setModel(first.id, model);
      else add(model);
    },
  };
}
