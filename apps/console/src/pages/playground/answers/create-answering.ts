// The running answer of a thread, one at a time. A request that fails before its first token leaves no message; one
// that is cut off keeps its text and looks up what was charged.
import { batch, createSignal } from "solid-js";
import type { Chunk, Usage } from "../../../product/completions/parse-chunk.ts";
import { type Ending, runCompletion } from "../../../product/completions/run-completion.ts";
import {
  isEmpty,
  type Message,
  type Model,
  newMessage,
  type Parameters,
  type RunFacts,
  requestOf,
} from "../conversation/conversation.ts";
import type { OneThread } from "../conversation/create-thread.ts";
import { addToolCalls } from "./add-tool-calls.ts";
import type { FailureOfProvider } from "./describe-run-failure.ts";

export type AnsweringOptions = {
  readonly modelOf: (id: string) => Model | undefined;
  /** What an interrupted request was charged according to Logs; undefined if unknown. */
  readonly askCharge: (generationId: string) => Promise<Usage | undefined>;
  /** After every answer: money may have moved. */
  readonly onEnd: () => void;
};

/** A chunk is often one token: drawing each would be slower than receiving it. */
const drawEveryMs = 30;

export function createAnswering(one: OneThread, options: AnsweringOptions) {
  const [running, setRunning] = createSignal<string>();
  const [failure, setFailure] = createSignal<FailureOfProvider>();
  let abort: AbortController | undefined;

  const settle = async (id: string, ending: Ending, provider?: string): Promise<boolean> => {
    const message = one.find(id);
    const lost = ending.kind === "failed" && message !== undefined && isEmpty(message);
    batch(() => {
      setRunning(undefined);
      one.changeRun(id, { ending });
      if (lost) one.setMessages(one.thread.messages.filter((other) => other.id !== id));
      if (lost) setFailure({ ...ending.failure, provider });
    });
    one.keep();
    options.onEnd();
    const generationId = message?.run?.generationId;
    if (ending.kind !== "complete" && !lost && generationId !== undefined)
      void lookUp(id, generationId);
    return !lost;
  };
  const lookUp = async (id: string, generationId: string) => {
    one.changeRun(id, { charge: "asked" });
    const usage = await options.askCharge(generationId);
    one.changeRun(id, { charge: "known", ...(usage && { usage }) });
    one.keep();
  };
  return {
    /** The message being streamed. */
    running,
    /** Why the last request failed. */
    failure,
    stop: () => abort?.abort(),
    /** Requests an answer to the thread; resolves to false if it was refused before the first token. */
    async answer(): Promise<boolean> {
      if (running() !== undefined) return true;
      const { thread } = one;
      const body = {
        ...requestOf(one.asked(), options.modelOf(thread.model)),
        stream: true,
        stream_options: { include_usage: true },
      };
      const { parameters } = one.asked();
      const message = { ...newMessage("assistant", ""), run: startRun(thread.model, body) };
      batch(() => {
        setFailure(undefined);
        one.setMessages([...thread.messages, message]);
        setRunning(message.id);
      });
      one.keep();
      abort = new AbortController();
      const receiver = createReceiver(one, message.id, parameters.mocks);
      const ending = await runCompletion(body, {
        signal: abort.signal,
        onId: (generationId) => one.changeRun(message.id, { generationId }),
        onChunk: receiver.receive,
      });
      receiver.finish();
      return await settle(message.id, ending, body.provider?.only[0]);
    },
  };
}

type Body = ReturnType<typeof requestOf>;

function startRun(model: string, { response_format: format }: Body): RunFacts {
  const schema = format?.json_schema?.schema;
  return { model, ...(schema !== undefined && { schema: JSON.stringify(schema) }) };
}

/** Batches chunks a few times a second, and measures times. */
function createReceiver({ change, changeRun }: OneThread, id: string, mocks: Parameters["mocks"]) {
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
      if (isEmpty({ text, reasoning, toolCalls })) return;
      if (firstTokenMs === undefined) {
        firstTokenMs = performance.now() - startedAt;
        draw();
      } else timer ??= setTimeout(draw, drawEveryMs);
    },
    finish() {
      clearTimeout(timer);
      const mocked = new Map(Object.entries(mocks));
      toolCalls = toolCalls.map((call) => ({ ...call, result: mocked.get(call.name) ?? "" }));
      draw();
      changeRun(id, { totalMs: performance.now() - startedAt });
    },
  };
}
