// A completion as it is written: chunks out as the client reads them, tokens into the meter, and
// `[DONE]` only when the settlement is durable. A pull-based stream: a client that stops reading
// stops the upstream. One that leaves ends it, or, where the cost cannot be seen, leaves it to run to
// its end unread.
import { chatIdOf, Fault } from "@turnpike/base";
import type { StreamAnswer, StreamEvent } from "@turnpike/providers";
import { errorEvent, sseData, sseDone, sseKeepAlive, usageChunk } from "@turnpike/wire";
import type { Ending } from "./bill-ending.ts";
import type { Exchange } from "./completion.ts";
import type { Gateway } from "./gateway.ts";
import { settleInTime } from "./settle-in-time.ts";

const encoder = new TextEncoder();

const excessSentence = "The upstream provider wrote more than the limit it was given.";
/** Estimated by its bytes a long word is several tokens: no honest answer may be cut for that. */
const estimateSlack = 4;

/** Relays `answer`; while a late one is still on its way, comments keep the client waiting. */
export function relayStream(
  gateway: Gateway,
  exchange: Exchange,
  answer: Promise<StreamAnswer>,
  { late }: { readonly late: boolean },
): ReadableStream<Uint8Array> {
  const relay = new Relay(gateway, exchange, answer);
  exchange.committed();
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        relay.start(controller);
        // The status line leaves with the first byte of the body.
        if (late) relay.reassure();
      },
      pull: () => relay.pull(),
      cancel: () => relay.leave(),
    },
    { highWaterMark: 0 },
  );
}

class Relay {
  readonly #gateway: Gateway;
  readonly #exchange: Exchange;
  readonly #answer: Promise<StreamAnswer>;
  #events: AsyncIterator<StreamEvent[]> | undefined;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #sentAtMs = performance.now();
  /** Nobody listens any more: what comes is read for its usage alone. */
  #left = false;
  #done = false;
  #estimated = false;
  #reading = false;
  /** A client that has stopped reading has no `pull` to hear it from. */
  readonly #onEnd = () => void this.#fail(undefined);
  readonly #onLeave = () => void this.leave();

  constructor(gateway: Gateway, exchange: Exchange, answer: Promise<StreamAnswer>) {
    this.#gateway = gateway;
    this.#exchange = exchange;
    this.#answer = answer;
    // A client that left before its first read never asks for it.
    answer.catch(() => undefined);
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller;
    const { endSignal } = this.#exchange;
    const clientSignal = this.#exchange.story.call.signal;
    endSignal.addEventListener("abort", this.#onEnd, { once: true });
    clientSignal.addEventListener("abort", this.#onLeave, { once: true });
    const { keepAliveMs } = this.#gateway.times;
    this.#timer = setInterval(() => {
      if (performance.now() - this.#sentAtMs >= keepAliveMs / 2) this.reassure();
    }, keepAliveMs / 2);
    if (endSignal.aborted) this.#onEnd();
    else if (clientSignal.aborted) this.#onLeave();
  }

  /** Shows the client that somebody is there. */
  reassure(): void {
    this.#send(sseKeepAlive);
  }

  /**
   * Sends at least one chunk, or ends the stream; without a client it reads to the end. Never throws:
   * a throw would cut the connection.
   */
  async pull(): Promise<void> {
    this.#reading = true;
    try {
      this.#events ??= (await this.#answer).events;
      for (let sent = false; !sent && !this.#done; ) {
        const next = await this.#events.next();
        // Another end was quicker: its bill knows nothing of what just came.
        if (this.#done || this.#exchange.ended) return;
        const read = this.#read(next.done === true ? [] : next.value);
        sent = read.text !== "" && this.#send(read.text);
        if (read.excess) throw new Fault("bad_gateway", excessSentence);
        if (read.ended || next.done === true) await this.#complete();
        else this.#gateway.failpoint("mid-stream");
      }
    } catch (thrown) {
      await this.#fail(thrown);
    } finally {
      this.#reading = false;
    }
  }

  /** The client is gone: what was delivered is billed now, or what the upstream reports in the end. */
  async leave(): Promise<void> {
    if (this.#left || this.#done) return;
    this.#left = true;
    clearInterval(this.#timer);
    if (!this.#exchange.clientLeft()) {
      this.#stop();
      await this.#settle(this.#exchange.endingWhole());
    } else if (!this.#reading) await this.pull();
  }

  /** Notes what the events say and gathers what the client is to see of them. */
  #read(events: readonly StreamEvent[]): { text: string; ended: boolean; excess: boolean } {
    const read = { text: "", ended: false, excess: false };
    for (const event of events) {
      if (event.kind === "chunk") {
        read.excess = this.#isExcess(event.tokens);
        if (read.excess) break;
        read.text += sseData(event.json);
        this.#exchange.relayed(event.tokens);
      } else if (event.kind === "usage") this.#exchange.reported(event.usage);
      else if (event.kind === "finish") this.#exchange.finished(event.reason, event.native);
      else read.ended = true;
    }
    return read;
  }

  /** An upstream that ignores its limit would write for ever at the operator's expense. */
  #isExcess(tokens: number): boolean {
    // A delta of more than one token was estimated by its text.
    this.#estimated ||= tokens > 1;
    const { coveredTokens } = this.#exchange.story.reservation;
    const allowedTokens = coveredTokens * (this.#estimated ? estimateSlack : 1);
    return this.#exchange.relayedTokens + tokens > allowedTokens;
  }

  async #complete(): Promise<void> {
    const ending = this.#exchange.endingWhole();
    const durable = await settleInTime(this.#gateway, this.#exchange, ending);
    if (!durable)
      throw new Fault("overloaded", "The end of this answer could not be billed in time.");
    if (this.#done) return;
    this.#send(this.#usageChunk() + sseDone);
    this.#gateway.failpoint("after-done");
    this.#close();
  }

  #usageChunk(): string {
    const { call, chat, model } = this.#exchange.story;
    const { bill, created } = this.#exchange;
    if (!chat.includeUsage || bill === undefined) return "";
    return sseData(
      usageChunk({ ...bill, chatId: chatIdOf(call.generationId), created, model: model.id }),
    );
  }

  /** Ends with an error event: a clean close would look like a complete answer. */
  async #fail(thrown: unknown): Promise<void> {
    if (this.#done) return;
    const ending = this.#exchange.endingBy(thrown);
    const { fault } = ending;
    if (fault?.code === "internal_error") {
      this.#gateway.log.error(
        { err: fault.cause, generationId: this.#exchange.story.call.generationId },
        "bug",
      );
    }
    await this.#settle(ending);
    if (this.#done) return;
    if (fault !== undefined) this.#send(errorEvent(fault));
    this.#close();
  }

  /** Ends the upstream call and waits for the bill. */
  async #settle(ending: Ending): Promise<void> {
    await Promise.allSettled([
      this.#events?.return?.(),
      settleInTime(this.#gateway, this.#exchange, ending),
    ]);
  }

  /** False where nobody is there to read it. */
  #send(text: string): boolean {
    if (this.#left || this.#done) return false;
    this.#sentAtMs = performance.now();
    this.#controller?.enqueue(encoder.encode(text));
    return true;
  }

  #close(): void {
    this.#stop();
    if (!this.#left) this.#controller?.close();
  }

  #stop(): void {
    this.#done = true;
    this.#exchange.endSignal.removeEventListener("abort", this.#onEnd);
    this.#exchange.story.call.signal.removeEventListener("abort", this.#onLeave);
    clearInterval(this.#timer);
  }
}
