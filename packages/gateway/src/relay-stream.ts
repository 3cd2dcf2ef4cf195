// A streamed answer: refused with its real HTTP status as long as nothing was sent, committed by the
// first event of the upstream or, if that is slow to come, by a comment. It is pull-based: a client
// that stops reading stops the upstream. Its end is sent only when the charge is durable.
import { Fault, offSharedAbort, onSharedAbort, withDeadline } from "@turnpike/base";
import type { StreamAnswer, StreamEvent, UpstreamAnswer } from "@turnpike/providers";
import type { ParsedRequest, StreamProtocol, StreamWriter } from "@turnpike/wire";
import type { Ending } from "./bill-ending.ts";
import type { Completion } from "./completion.ts";
import type { Gateway } from "./gateway.ts";

const encoder = new TextEncoder();

const excessSentence = "The upstream provider wrote more than the limit it was given.";
/** Estimated by its bytes a long word is several tokens: no honest answer may be cut for that. */
const estimateSlack = 4;

/** Resolves when the answer may begin; rejects with what the upstream refused before that. */
export async function relayStream<Request extends ParsedRequest>(
  gateway: Gateway,
  completion: Completion<Request>,
  protocol: StreamProtocol<Request>,
  opening: Promise<UpstreamAnswer>,
): Promise<ReadableStream<Uint8Array>> {
  const answer = requireStream(opening);
  const { commitStreamMs } = gateway.times;
  const begun = await withDeadline<StreamAnswer | undefined>(answer, commitStreamMs, notBegun);
  gateway.failpoint("first-byte");
  return openBody(new Relay(gateway, completion, protocol, answer), begun === undefined);
}

const notBegun = (): undefined => undefined;

async function requireStream(opening: Promise<UpstreamAnswer>): Promise<StreamAnswer> {
  const answer = await opening;
  if (answer.kind === "stream") return answer;
  throw new Fault("bad_gateway", "The upstream provider did not stream its answer.");
}

/** Relays an answer; while a late one is still on its way, comments keep the client waiting. */
export function openBody(
  relay: Pick<Relay, "start" | "reassure" | "pull" | "leave">,
  late: boolean,
): ReadableStream<Uint8Array> {
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

export class Relay<Request extends ParsedRequest = ParsedRequest> {
  readonly #gateway: Gateway;
  readonly #completion: Completion<Request>;
  readonly #keepAlive: string;
  readonly #writer: StreamWriter;
  readonly #answer: Promise<StreamAnswer>;
  #events: AsyncIterator<StreamEvent[]> | undefined;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #sentAtMs = performance.now();
  /** The client is gone: what comes is read for its usage alone. */
  #left = false;
  #done = false;
  #estimated = false;
  #reading = false;
  /** A client that has stopped reading has no `pull` to hear it from. */
  readonly #onEnd = () => void this.#fail(undefined);
  readonly #onLeave = () => void this.leave();

  constructor(
    gateway: Gateway,
    completion: Completion<Request>,
    protocol: StreamProtocol<Request>,
    answer: Promise<StreamAnswer>,
  ) {
    this.#gateway = gateway;
    this.#completion = completion;
    this.#keepAlive = protocol.keepAlive;
    this.#writer = protocol.open(completion.request, completion.stamp);
    this.#answer = answer;
    completion.committed = true;
    // A client that left before its first read never asks for it.
    answer.catch(() => undefined);
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller;
    const { endSignal } = this.#completion;
    const clientSignal = this.#completion.call.signal;
    clientSignal.addEventListener("abort", this.#onLeave, { once: true });
    const { keepAliveMs } = this.#gateway.times;
    this.#timer = setInterval(() => {
      if (performance.now() - this.#sentAtMs >= keepAliveMs / 2) this.reassure();
    }, keepAliveMs / 2);
    onSharedAbort(endSignal, this.#onEnd);
    if (!endSignal.aborted && clientSignal.aborted) this.#onLeave();
  }

  /** Tells the client that its answer is still on the way. */
  reassure(): void {
    this.#send(this.#keepAlive);
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
        if (this.#done || this.#completion.ended) return;
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
    if (!this.#completion.runsOn()) {
      this.#stop();
      await this.#settle(this.#completion.endingWhole());
    } else if (!this.#reading) await this.pull();
  }

  /** Notes what the events say and gathers what the client is to see of them. */
  #read(events: readonly StreamEvent[]): { text: string; ended: boolean; excess: boolean } {
    const read = { text: "", ended: false, excess: false };
    for (const event of events) {
      if (event.kind === "chunk" || event.kind === "deltas") {
        read.excess = this.#isExcess(event.tokens);
        if (read.excess) break;
        read.text +=
          event.kind === "chunk"
            ? this.#writer.writeOwn(event.json, event.name)
            : this.#writer.writeDeltas(event.deltas);
        this.#completion.relayedTokens += event.tokens;
      } else if (event.kind === "usage") this.#completion.reported(event.usage);
      else if (event.kind === "finish") this.#completion.finish = event;
      else read.ended = true;
    }
    return read;
  }

  /** An upstream that ignores its limit would write for ever at the operator's expense. */
  #isExcess(tokens: number): boolean {
    // A delta of more than one token was estimated by its text.
    this.#estimated ||= tokens > 1;
    const { coveredTokens } = this.#completion.reservation;
    const allowedTokens = coveredTokens * (this.#estimated ? estimateSlack : 1);
    return this.#completion.relayedTokens + tokens > allowedTokens;
  }

  async #complete(): Promise<void> {
    const ending = this.#completion.endingWhole();
    const durable = await this.#completion.settle(ending);
    if (!durable)
      throw new Fault("overloaded", "The end of this answer could not be billed in time.");
    if (this.#done) return;
    this.#send(this.#writer.writeEnd(this.#completion.bill));
    this.#gateway.failpoint("after-done");
    this.#close();
  }

  /** Ends with an error event: a clean close would look like a complete answer. */
  async #fail(thrown: unknown): Promise<void> {
    if (this.#done) return;
    const ending = this.#completion.endingBy(thrown);
    const { fault } = ending;
    if (fault?.code === "internal_error") {
      this.#gateway.log.error(
        { err: fault.cause, generationId: this.#completion.call.generationId },
        "bug",
      );
    }
    await this.#settle(ending);
    if (this.#done) return;
    if (fault !== undefined)
      this.#send(this.#writer.writeFault(fault, this.#completion.call.requestId));
    this.#close();
  }

  /** Ends the upstream call and waits for the bill. */
  async #settle(ending: Ending): Promise<void> {
    await Promise.allSettled([this.#events?.return?.(), this.#completion.settle(ending)]);
  }

  /** False where the client is gone. */
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
    offSharedAbort(this.#completion.endSignal, this.#onEnd);
    this.#completion.call.signal.removeEventListener("abort", this.#onLeave);
    clearInterval(this.#timer);
  }
}
