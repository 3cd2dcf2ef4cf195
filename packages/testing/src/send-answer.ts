// Sends one scripted answer: an error, a whole completion or a stream of chunks, with the faults the
// script asks for. Only what was passed to the kernel counts as delivered.
import { type EmbeddingsBody, embeddingsAnswer } from "./answer-embeddings.ts";
import type { AnswerFormat, EventFrame, EventWriter } from "./answer-format.ts";
import { generateDeltas, type Step } from "./generate-deltas.ts";
import { type AnswerLayout, type AnswerWriter, BrokenOff } from "./http-connection.ts";
import type { OperationCall } from "./operation-call.ts";
import type { ChatBody } from "./parse-chat-body.ts";
import type { Script } from "./parse-script.ts";
import { reportUsage, type TokenCounts } from "./report-usage.ts";
import { sendOperation } from "./send-operation.ts";

export type Answering = {
  /** The `id` of the answer's body. */
  id: string;
  chat: ChatBody;
  /** The format of the API that was called. */
  format: AnswerFormat;
  /** Set if vectors are asked for and not a chat. */
  embeddings: EmbeddingsBody | undefined;
  /** Set if something else is. */
  operation: OperationCall | undefined;
  script: Script;
  writer: AnswerWriter;
  /** Resolves when a gated answer may go on. */
  opened: Promise<void>;
};

/** The layout of bytes a script asks for. */
export function layoutOf(script: Script): AnswerLayout {
  return {
    breakAt: breakByBytes(script),
    cutInHead: script.cutInHead,
    splitUtf8: script.splitUtf8,
    splitEvery: script.splitEvery,
    closeDelimited: script.closeDelimited,
    gzip: script.garbage === "gzip",
  };
}

function breakByBytes(script: Script): AnswerLayout["breakAt"] {
  if (script.cutAfterBytes !== undefined) return { bytes: script.cutAfterBytes, how: "cut" };
  if (script.resetAfterBytes !== undefined) return { bytes: script.resetAfterBytes, how: "reset" };
  if (script.stallAfterBytes !== undefined) return { bytes: script.stallAfterBytes, how: "stall" };
  return undefined;
}

/** Where the script breaks the answer, counted in deltas; `ending` is after the last one. */
function breakByDeltas(
  script: Script,
): { after: number; how: "cut" | "reset" | "stall" } | undefined {
  if (script.cutAfterDeltas !== undefined) return { after: script.cutAfterDeltas, how: "cut" };
  if (script.resetAfterDeltas !== undefined)
    return { after: script.resetAfterDeltas, how: "reset" };
  if (script.stallAfterDeltas !== undefined)
    return { after: script.stallAfterDeltas, how: "stall" };
  return script.ending && { after: Number.POSITIVE_INFINITY, how: script.ending };
}

/** Answers as scripted; true if the connection can carry another request. Throws `BrokenOff`. */
export async function sendAnswer(answering: Answering): Promise<boolean> {
  const { script, chat, writer } = answering;
  await writer.connection.wait(script.firstByteMs ?? 0);
  if (script.garbage === "status-line") {
    await writer.connection.send("\u0016\u0003 this is no status line\r\n\r\n");
    throw new BrokenOff("stall");
  }
  const errorAtOnce = script.error !== undefined && script.errorAfterDeltas === undefined;
  const refuses = errorAtOnce || script.body !== undefined || (script.status ?? 200) !== 200;
  const gated = script.headGate || (script.gate && (refuses || !chat.stream));
  if (gated) await writer.connection.waitFor(answering.opened);
  if (refuses) return sendError(answering);
  if (answering.operation) {
    return sendOperation(answering.operation.answer(script), {
      ...answering,
      sendHead: (headers) => sendHead(writer, script, 200, { ...headers, ...script.headers }),
      broken: breakByDeltas(script),
    });
  }
  return chat.stream ? sendStream(answering) : sendWhole(answering);
}

async function sendError({ script, writer, format }: Answering): Promise<boolean> {
  const status = script.status ?? 200;
  const body = script.body ?? JSON.stringify(format.errorBody(status, script.error));
  const type = script.body === undefined ? "application/json" : "text/html";
  await sendHead(writer, script, status, {
    "content-type": type,
    "content-length": String(Buffer.byteLength(body)),
    ...script.headers,
  });
  await writer.write(body);
  return writer.end();
}

async function sendHead(
  writer: AnswerWriter,
  script: Script,
  status: number,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const flood = script.garbage === "headers" ? 400 : 0;
  const many = Array.from({ length: flood }, (_, index) => [`x-flood-${index}`, "1"] as const);
  await writer.head(status, { ...headers, ...Object.fromEntries(many) });
  await writer.connection.wait(script.bodyMs ?? 0);
}

async function sendWhole(answering: Answering): Promise<boolean> {
  const { script, chat, writer } = answering;
  if (script.endless && (script.ignoreLimit || chat.maxTokens === undefined)) {
    throw new BrokenOff("stall");
  }
  if (script.errorAfterDeltas !== undefined) {
    return sendError({ ...answering, script: { error: "Scripted error.", ...script } });
  }
  const steps = answering.embeddings ? [] : [...generateDeltas(script, chat)];
  const counts = countTokens(answering, steps);
  await writer.connection.wait((script.paceMs ?? 0) * counts.completion);
  const usage = reportUsage(script.usage, counts, answering.format.usage).at(-1);
  const json = JSON.stringify(wholeAnswer(answering, steps, usage));
  const body = script.garbage === "json" ? json.slice(0, json.length / 2) : json;
  const length = String(Buffer.byteLength(body));
  await sendHead(writer, script, 200, {
    "content-type": "application/json",
    ...(script.keepAlive ? {} : { "content-length": length }),
    ...script.headers,
  });
  if (script.keepAlive) await writer.write("\n\n");
  const broken = breakByDeltas(script);
  if (broken) {
    await writer.write(body.slice(0, body.length / 2));
    throw new BrokenOff(broken.how);
  }
  if (script.garbage === "chunk-size") await sendBadChunk(writer);
  await writer.write(body, { tokens: counts.completion, usage });
  return writer.end();
}

function wholeAnswer(
  { id, chat, format, embeddings, script }: Answering,
  steps: readonly Step[],
  usage: unknown,
): unknown {
  if (embeddings === undefined) return format.whole({ id, chat, script, steps }, usage);
  return embeddingsAnswer(embeddings, chat.model, usage, script.embedding);
}

function countTokens({ script, chat }: Answering, steps: readonly Step[]): TokenCounts {
  const field = script.reasoningField ?? "reasoning_content";
  return {
    prompt: chat.promptTokens,
    completion: steps.filter((step) => step.tokens > 0).length,
    reasoning: steps.filter((step) => step.delta[field] !== undefined).length,
    cached: script.cachedTokens ?? 0,
    cacheWrite: script.cacheWriteTokens ?? script.cacheWrite1hTokens ?? 0,
    cacheWrite1h: script.cacheWrite1hTokens ?? 0,
  };
}

/** A chunk whose size is not a number (the answer must be chunked for this to be noticed). */
async function sendBadChunk(writer: AnswerWriter): Promise<never> {
  await writer.connection.send("zz\r\nnot a chunk\r\n");
  throw new BrokenOff("stall");
}

async function sendStream(answering: Answering): Promise<boolean> {
  const { script, chat, writer } = answering;
  await sendHead(writer, script, 200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    ...script.headers,
  });
  const events = new EventSender(answering);
  const broken = breakByDeltas(script);
  let gated = script.gate === true;
  for (const step of generateDeltas(script, chat)) {
    if (step.tokens > 0) {
      if (broken && events.counts.completion >= broken.after) throw new BrokenOff(broken.how);
      if (events.counts.completion === script.errorAfterDeltas) return events.endWithError();
      await writer.connection.wait(script.paceMs ?? 0);
      if (script.keepAlive) await writer.write(": keep-alive\n\n");
    }
    if (step.finish !== null && gated) {
      gated = false;
      await writer.connection.waitFor(answering.opened);
    }
    if (step.finish !== null && broken) throw new BrokenOff(broken.how);
    if (step.finish !== null && script.errorAfterDeltas !== undefined) return events.endWithError();
    await events.sendStep(step);
    if (step.tokens > 0) await sendGarbageEvent(writer, script);
  }
  await events.sendEnd();
  return writer.end();
}

/** What a broken provider sends after its first delta. */
async function sendGarbageEvent(writer: AnswerWriter, script: Script): Promise<void> {
  if (script.garbage === "chunk-size") await sendBadChunk(writer);
  if (script.garbage === "event" || script.garbage === "json") {
    await writer.write('data: {"choices":[{"index":0,"delta":{"content":\n\n');
  }
  if (script.garbage !== "endless-event") return;
  await writer.write('data: {"choices":[{"index":0,"delta":{"content":"');
  for (const filler = "x".repeat(65_536); ; ) await writer.write(filler);
}

class EventSender {
  readonly counts: TokenCounts;
  readonly #answering: Answering;
  readonly #events: EventWriter;

  constructor(answering: Answering) {
    const { id, chat, script, format } = answering;
    this.counts = countTokens(answering, []);
    this.#answering = answering;
    this.#events = format.open({ id, chat, script });
  }

  async sendStep(step: Step): Promise<void> {
    const { script } = this.#answering;
    this.counts.completion += step.tokens;
    if (step.delta[script.reasoningField ?? "reasoning_content"] !== undefined) {
      this.counts.reasoning += 1;
    }
    await this.#send(this.#events.step(step, this.counts));
  }

  async sendEnd(): Promise<void> {
    await this.#send(this.#events.end(this.counts));
  }

  async endWithError(): Promise<boolean> {
    const { script, writer, format } = this.#answering;
    await this.#send(format.errorEvents(script.error));
    return writer.end();
  }

  async #send(frames: readonly EventFrame[]): Promise<void> {
    const { script, writer } = this.#answering;
    const newline = script.crlf ? "\r\n" : "\n";
    for (const { name, data, tokens, usage } of frames) {
      const head = name === undefined ? "" : `event: ${name}${newline}`;
      const text = `${head}data: ${data}${newline}${newline}`;
      await writer.write(text, { deltas: tokens, tokens, usage });
    }
  }
}
