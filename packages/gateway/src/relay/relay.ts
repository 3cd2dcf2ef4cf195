// Relays one streamed answer to its client, at the client's pace: one that stops reading stops the upstream. Its end
// is sent when the charge is durable, even if the server stops.
import {
  type AbortListener,
  Fault,
  offSharedAbort,
  onSharedAbort,
  unwatchDeadline,
  type Watched,
  watchDeadline,
} from "@turnpike/base";
import type { StreamAnswer, StreamEvent } from "@turnpike/providers";
import type { ParsedRequest, PromptSize, StreamProtocol, StreamWriter } from "@turnpike/wire";
import type { Completion } from "../completion.ts";
import type { Ending } from "../ending/bill-ending.ts";
import type { Gateway, StreamEnding } from "../gateway.ts";
import { flushToClient, type Sink } from "./flush-to-client.ts";

const unbilledSentence = "The end of this answer could not be billed in time.";
const excessSentence = "The upstream provider wrote more than the limit it was given.";
/** By its bytes a long word is estimated as several tokens: no correct answer may be cut for that. */
const estimateSlack = 4;

type DeliveredEvent = Extract<StreamEvent, { tokens: number }>;

export class Relay<Request extends ParsedRequest = ParsedRequest>
  implements Watched, AbortListener
{
  readonly #gateway: Gateway;
  readonly #completion: Completion<Request>;
  readonly #protocol: StreamProtocol<Request>;
  readonly #prompt: PromptSize | undefined;
  #opened: StreamWriter | undefined;
  readonly #answer: Promise<StreamAnswer>;
  #events: AsyncIterator<StreamEvent[]> | undefined;
  #sink: Sink | undefined;
  /** What was sent before there was a sink. */
  #unsent = "";
  /** While the client reads more slowly than the upstream writes; resolves when it can be written to again. */
  #full: PromiseWithResolvers<void> | undefined;
  /** When the client has received nothing for too long; a lower bound. */
  dueAtMs: number;
  #sentAtMs = performance.now();
  /** The client has disconnected: the rest is read only for its usage. */
  #left = false;
  #done = false;
  #estimated = false;
  #reading = false;
  /** Whether the connection is to be cut. */
  #isCut = false;
  /** Settles when nothing more is read, or as what could not be relayed. */
  readonly #relayed = Promise.withResolvers<void>();
  readonly #sent = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<StreamEnding>();
  readonly #onLeave = () => void this.leave();
  readonly #onDrained = () => {
    this.#full?.resolve();
    this.#full = undefined;
  };

  constructor(
    gateway: Gateway,
    completion: Completion<Request>,
    protocol: StreamProtocol<Request>,
    answer: Promise<StreamAnswer>,
    prompt?: PromptSize,
  ) {
    this.#gateway = gateway;
    this.#completion = completion;
    this.#protocol = protocol;
    this.#prompt = prompt;
    this.#answer = answer;
    this.dueAtMs = this.#sentAtMs + gateway.times.keepAliveMs;
    completion.committed = true;
    // A client that disconnected before its first read never pulls.
    answer.catch(() => undefined);
  }

  /** Opened by what is written first: after comments another route, of another model perhaps, may have answered. */
  get #writer(): StreamWriter {
    const { request, identity } = this.#completion;
    this.#opened ??= this.#protocol.open(request, identity, this.#prompt);
    return this.#opened;
  }

  /** Resolves when the client has everything it will get, or has disconnected. */
  get sent(): Promise<void> {
    return this.#sent.promise;
  }

  /** Resolves with how the answer ended, once its bill is known. */
  get ended(): Promise<StreamEnding> {
    return this.#ended.promise;
  }

  start(): void {
    const { endSignal } = this.#completion;
    const clientSignal = this.#completion.call.signal;
    clientSignal.addEventListener("abort", this.#onLeave, { once: true });
    watchDeadline(this);
    onSharedAbort(endSignal, this);
    if (!endSignal.aborted && clientSignal.aborted) this.#onLeave();
  }

  /** A client that has stopped reading is not written to, so its disconnect would go unnoticed. */
  handleAbort(): void {
    void this.#fail(undefined);
  }

  /** Called by the shared timer: a client that has received nothing for a while is sent a comment. */
  checkDeadline(nowMs: number): void {
    this.dueAtMs = this.#sentAtMs + this.#gateway.times.keepAliveMs;
    if (nowMs >= this.dueAtMs) this.sendKeepAlive();
  }

  /** Tells the client that its answer is still on the way. */
  sendKeepAlive(): void {
    this.#send(this.#protocol.keepAlive);
  }

  /** Relays to the end, at the client's pace if there is one. A throw cuts the connection, so it throws for nothing else. */
  async run(sink: Sink | undefined): Promise<void> {
    this.#attach(sink);
    if (!this.#reading) {
      this.#reading = true;
      try {
        await this.#relay((await this.#answer).events);
      } catch (thrown) {
        await this.#fail(thrown);
      }
    }
    // The runtime treats the end of this call as the end of the answer.
    await this.#sent.promise;
    if (this.#isCut && !this.#left)
      throw new Error("an answer whose end clients would not see as an error broke off");
  }

  /** Callbacks, not a loop that waits: an async function costs an event more than all else that is done with it. */
  #relay(events: AsyncIterator<StreamEvent[]>): Promise<void> {
    this.#events = events;
    this.#readNext();
    return this.#relayed.promise;
  }

  readonly #readNext = (): void => {
    if (this.#done) this.#relayed.resolve();
    else this.#events?.next().then(this.#onRead, this.#relayed.reject);
  };

  readonly #onRead = (next: IteratorResult<StreamEvent[]>): void => {
    try {
      // Another end came first: its bill does not include what just arrived.
      if (this.#done || this.#completion.ended) this.#relayed.resolve();
      else if (next.done === true || this.#forward(next.value))
        this.#relayed.resolve(this.#complete());
      else {
        this.#gateway.failpoint("mid-stream");
        if (this.#full === undefined) this.#readNext();
        else this.#full.promise.then(this.#readNext).catch(this.#relayed.reject);
      }
    } catch (thrown) {
      this.#relayed.reject(thrown);
    }
  };

  #attach(sink: Sink | undefined): void {
    if (sink === undefined) return;
    this.#sink = sink;
    if (this.#unsent !== "") this.#put(sink, this.#unsent);
    this.#unsent = "";
    if (this.#done) sink.close();
  }

  /** The client has disconnected: what was delivered is billed now, or what the upstream reports at the end. */
  async leave(): Promise<void> {
    if (this.#left || this.#done) return;
    this.#left = true;
    this.#sent.resolve();
    this.#onDrained();
    unwatchDeadline(this);
    if (!this.#completion.continuesWithoutClient()) {
      this.#stop();
      await this.#end(this.#completion.endingWhole());
    } else await this.run(undefined);
  }

  /** Notes what the events say and sends what the client is to see; true at the end of the answer. */
  #forward(events: readonly StreamEvent[]): boolean {
    let hasEnded = false;
    for (const event of events) {
      if ("tokens" in event) {
        if (this.#isExcess(event)) throw new Fault("bad_gateway", excessSentence);
        this.#send(this.#write(event));
        this.#completion.relayedTokens += event.tokens;
        if ("audioTokens" in event) this.#completion.relayedAudioTokens += event.audioTokens ?? 0;
        if ("images" in event) this.#completion.relayedImages += event.images ?? 0;
      } else if (event.kind === "delivered") this.#completion.relayedUnits = event.units;
      else if (event.kind === "usage") this.#completion.reported(event.usage);
      else if (event.kind === "early_usage") this.#completion.reportedSoFar(event.usage);
      else if (event.kind === "finish") this.#completion.finish = event;
      else hasEnded = true;
    }
    return hasEnded;
  }

  #write(event: DeliveredEvent): string | Uint8Array<ArrayBuffer> {
    if (event.kind === "frame") return event.bytes;
    if (event.kind === "deltas") return this.#writer.writeDeltas(event.deltas);
    return this.#writer.writeOwn(event.json, event.name);
  }

  /** An upstream that ignores its limit would write forever at the operator's expense. */
  #isExcess(event: DeliveredEvent): boolean {
    // Audio is as long as it takes to say what was asked for, and its charge ends at the hold.
    if (this.#protocol.isBinary !== undefined) return false;
    const { tokens } = event;
    // A delta of more than one token was estimated by its text.
    this.#estimated ||= tokens > (event.kind === "frame" ? event.deltaCount : 1);
    const { coveredTokens } = this.#completion.reservation;
    const allowedTokens = coveredTokens * (this.#estimated ? estimateSlack : 1);
    return this.#completion.relayedTokens + tokens > allowedTokens;
  }

  async #complete(): Promise<void> {
    const completion = this.#completion;
    offSharedAbort(completion.endSignal, this);
    const charged = await completion.endWithin(completion.endingWhole());
    try {
      if (charged === undefined) throw new Fault("overloaded", unbilledSentence);
      const end = await completion.persistItems(this.#writer.writeEnd(completion.bill));
      if (this.#done) return;
      this.#send(end);
      if (!this.#left) this.#ended.resolve("whole");
    } finally {
      // Without effect on a whole answer: the first call of `resolve` counts.
      this.#ended.resolve(completion.isCharged.then((paid) => (paid ? "undelivered" : "broken")));
    }
    this.#gateway.failpoint("after-done");
    this.#close();
  }

  /** Ends with an error event: a clean close would look like a complete answer. */
  async #fail(thrown: unknown): Promise<void> {
    if (this.#done) return;
    const ending = this.#completion.endingBy(thrown);
    const { fault } = ending;
    const { generationId, requestId } = this.#completion.call;
    if (fault?.code === "internal_error") {
      this.#gateway.log.error({ err: fault.cause, generationId }, "bug");
    }
    await this.#end(ending);
    if (this.#done) return;
    if (fault !== undefined) this.#send(this.#writer.writeFault(fault, requestId));
    // A clean end would look like a whole answer.
    const { isBinary, cutsAfterFault } = this.#protocol;
    this.#isCut = cutsAfterFault ?? isBinary?.(this.#completion.request) === true;
    if (cutsAfterFault && !this.#left) await flushToClient(this.#sink);
    if (this.#isCut) this.#stop();
    else this.#close();
  }

  /** Ends the upstream call and waits for the bill. */
  async #end(ending: Ending): Promise<void> {
    await Promise.allSettled([this.#events?.return?.(), this.#completion.endWithin(ending)]);
    if (!(await this.#completion.isCharged)) this.#ended.resolve("broken");
    else this.#ended.resolve(ending.outcome === "client_closed" ? "undelivered" : "broken_charged");
  }

  /** Does nothing if the client has disconnected. Bytes come only from `run`, which has a sink. */
  #send(data: string | Uint8Array<ArrayBuffer>): void {
    if (this.#left || this.#done || data === "") return;
    this.#sentAtMs = performance.now();
    if (this.#sink !== undefined) this.#put(this.#sink, data);
    else if (typeof data === "string") this.#unsent += data;
  }

  #put(sink: Sink, data: string | Uint8Array<ArrayBuffer>): void {
    const written = sink.write(data);
    if (typeof written === "number") return;
    this.#full ??= Promise.withResolvers<void>();
    written.then(this.#onDrained, this.#onDrained);
  }

  #close(): void {
    this.#stop();
    if (!this.#left) this.#sink?.close();
  }

  #stop(): void {
    this.#done = true;
    offSharedAbort(this.#completion.endSignal, this);
    this.#completion.call.signal.removeEventListener("abort", this.#onLeave);
    unwatchDeadline(this);
    this.#sent.resolve();
    this.#onDrained();
  }
}
