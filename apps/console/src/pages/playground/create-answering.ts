// The running answer, one at a time. A request that fails before its first token leaves no message and
// restores the draft; one that is cut off keeps its text and looks up what was charged.
import { batch, createSignal } from "solid-js";
import type { Chunk, Usage } from "../shared/read-chunk.ts";
import { type Ending, type Failure, runCompletion } from "../shared/run-completion.ts";
import { addToolCalls } from "./add-tool-calls.ts";
import { type Message, type Model, newMessage, type RunFacts, requestOf } from "./conversation.ts";
import type { Conversations } from "./create-conversations.ts";

export type AnsweringOptions = {
  readonly modelOf: (id: string) => Model | undefined;
  /** What an interrupted request was charged according to Logs; undefined if unknown. */
  readonly askCharge: (generationId: string) => Promise<Usage | undefined>;
  /** After every answer: money may have moved. */
  readonly onEnd: () => void;
};

/** A chunk is often one token: drawing each would be slower than receiving it. */
const drawEveryMs = 30;

export function createAnswering(all: Conversations, options: AnsweringOptions) {
  const [running, setRunning] = createSignal<string>();
  const [failure, setFailure] = createSignal<Failure>();
  let abort: AbortController | undefined;

  const giveBack = (id: string, returned: string | undefined) => {
    const at = all.placeOf(id);
    if (at === -1) return;
    const { attachments } = all.conversation.messages[at - 1] ?? {};
    if (returned !== undefined && attachments) all.setAttached(attachments);
    all.setMessages(all.conversation.messages.slice(0, returned === undefined ? at : at - 1));
    if (returned !== undefined && all.draft() === "") all.setDraft(returned);
  };
  const settle = async (id: string, ending: Ending, returned: string | undefined) => {
    const message = all.find(id);
    const lost = ending.kind === "failed" && message !== undefined && isEmpty(message);
    batch(() => {
      setRunning(undefined);
      all.changeRun(id, { ending });
      if (lost) giveBack(id, returned);
      if (lost) setFailure(ending.failure);
    });
    all.keep();
    options.onEnd();
    const generationId = message?.run?.generationId;
    if (ending.kind === "complete" || lost || generationId === undefined) return;
    all.changeRun(id, { charge: "asked" });
    const usage = await options.askCharge(generationId);
    all.changeRun(id, { charge: "known", ...(usage && { usage }) });
    all.keep();
  };
  return {
    /** The message being streamed. */
    running,
    /** Why the last request failed. */
    failure,
    dismiss: () => setFailure(undefined),
    stop: () => abort?.abort(),
    /** Requests an answer to the conversation; `returned` is the draft to restore on failure. */
    async answer(returned?: string): Promise<void> {
      if (running() !== undefined) return;
      const { conversation } = all;
      const body = {
        ...requestOf(conversation, options.modelOf(conversation.model)),
        stream: true,
        stream_options: { include_usage: true },
      };
      const message = { ...newMessage("assistant", ""), run: startRun(conversation.model) };
      batch(() => {
        setFailure(undefined);
        all.setMessages([...conversation.messages, message]);
        setRunning(message.id);
      });
      all.keep();
      abort = new AbortController();
      const receiver = createReceiver(all, message.id);
      const ending = await runCompletion(body, {
        signal: abort.signal,
        onId: (generationId) => all.changeRun(message.id, { generationId }),
        onChunk: receiver.receive,
      });
      receiver.finish();
      await settle(message.id, ending, returned);
    },
  };
}

function isEmpty({ text, reasoning, toolCalls }: Message): boolean {
  return text === "" && reasoning === "" && toolCalls.length === 0;
}

function startRun(model: string): RunFacts {
  return {
    model,
    generationId: undefined,
    firstTokenMs: undefined,
    totalMs: undefined,
    usage: undefined,
    ending: undefined,
    charge: undefined,
  };
}

/** Batches chunks a few times a second, and measures times. */
function createReceiver({ change, changeRun }: Conversations, id: string) {
  const startedAt = performance.now();
  let text = "";
  let reasoning = "";
  let toolCalls: Message["toolCalls"] = [];
  let firstTokenMs: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const draw = () => {
    timer = undefined;
    batch(() => {
      change(id, { text, reasoning, toolCalls });
      changeRun(id, { firstTokenMs });
    });
  };
  return {
    receive(chunk: Chunk) {
      text += chunk.text;
      reasoning += chunk.reasoning;
      toolCalls = addToolCalls(toolCalls, chunk.toolCalls);
      if (chunk.usage) changeRun(id, { usage: chunk.usage });
      if (text === "" && reasoning === "" && toolCalls.length === 0) return;
      if (firstTokenMs === undefined) {
        firstTokenMs = performance.now() - startedAt;
        draw();
      } else timer ??= setTimeout(draw, drawEveryMs);
    },
    finish() {
      clearTimeout(timer);
      draw();
      changeRun(id, { totalMs: performance.now() - startedAt });
    },
  };
}
