// Reads the answer of a run to its end and stores its events and how it ended. Readers of the run do not affect it.
import { Fault, requestIdOf } from "@turnpike/base";
import { faultOfThrown } from "@turnpike/db";
import type { Answer, Call, StreamEnding } from "@turnpike/gateway";
import type { RunEnd } from "@turnpike/runs";
import {
  backgroundResponse,
  EventCutter,
  type ParsedRequest,
  type StreamWriter,
} from "@turnpike/wire";
import type { RunWriter } from "./run-writer.ts";

export type RecordedRun<Parsed extends ParsedRequest> = {
  readonly call: Call<Parsed>;
  readonly request: Parsed;
  /** The response before its first event, JSON; undefined for a run that is only a stream. */
  readonly queued: string | undefined;
  readonly writer: RunWriter;
  /** Aborted when the call is to end. */
  readonly stopped: AbortSignal;
  /** Ends the call. */
  readonly stop: () => void;
};

/** Resolves when its end is stored and its bill is known, with how its answer ended. Never rejects. */
export async function recordRun<Parsed extends ParsedRequest>(
  run: RecordedRun<Parsed>,
  answering: Promise<Answer>,
): Promise<StreamEnding> {
  const recorder = new Recorder(run);
  const recorded = answering.then((answer) => recorder.read(answer));
  try {
    await Promise.race([recorded, aborted(run.stopped)]);
  } catch (thrown) {
    if (!run.stopped.aborted) recorder.fail(thrown);
  }
  await recorder.endEvents().catch(() => undefined);
  await run.writer.end(recorder.end());
  return recorded.catch(() => "broken");
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

class Recorder<Parsed extends ParsedRequest> {
  readonly #run: RecordedRun<Parsed>;
  #response: string | undefined;
  #ended: RunEnd["state"] | undefined;
  #fault: Fault | undefined;
  #ending: StreamEnding = "broken";
  #isCut = false;

  constructor(run: RecordedRun<Parsed>) {
    this.#run = run;
    this.#response = run.queued;
  }

  /** Resolves with how it ended. */
  async read({ body, ended }: Answer): Promise<StreamEnding> {
    if (typeof body === "string") throw new Error("a run was answered by a whole answer");
    const cutter = new EventCutter();
    const reader = body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      // What comes behind the end of a run is of no use, but is read, as its client would: otherwise the call would wait for ever.
      if (!this.#run.stopped.aborted) await this.#addAll(cutter.push(value));
    }
    this.#ending = (await ended) ?? "whole";
    return this.#ending;
  }

  async #addAll(events: readonly string[]): Promise<void> {
    try {
      for (const event of events) if (!this.#run.stopped.aborted) await this.#add(event);
    } catch (thrown) {
      this.fail(thrown);
      this.#run.stop();
    }
  }

  /** Notes why the call failed. */
  fail(thrown: unknown): void {
    this.#fault = faultOfThrown(thrown);
  }

  /** Ends the events of a run that failed as a stream ends. One that is no response and has begun breaks off instead. */
  async endEvents(): Promise<void> {
    const fault = this.#fault;
    if (fault === undefined) return;
    const { call, queued, writer } = this.#run;
    if (writer.nextNumber === 0) {
      const text = this.#openWriter()?.writeFault(fault, requestIdOf(call.generationId)) ?? "";
      for (const event of new EventCutter().push(Buffer.from(text))) await this.#add(event);
    } else if (queued !== undefined) {
      const response = backgroundResponse.writeFailed(this.#response ?? queued, fault);
      const end = { state: "failed", response };
      await this.#add(backgroundResponse.writeEndEvent(end, writer.nextNumber));
    } else this.#isCut = true;
  }

  #openWriter(): StreamWriter | undefined {
    const { call, request } = this.#run;
    const id = call.protocol.answerId(call.generationId);
    const created = Math.floor(Date.now() / 1_000);
    return call.protocol.stream?.open(request, { id, model: request.model, created });
  }

  async #add(event: string): Promise<void> {
    const { queued, writer } = this.#run;
    if (queued === undefined) {
      await writer.add(`id: ${writer.nextNumber}\n${event}`);
      return;
    }
    const read = backgroundResponse.readResponseEvent(event, writer.nextNumber);
    writer.startAt(read.number);
    this.#response = read.response ?? this.#response;
    this.#ended = read.ended ?? this.#ended;
    await writer.add(event, read.response);
  }

  end(): RunEnd {
    const response = this.#response;
    if (this.#ended !== undefined) return { state: this.#ended, response };
    const { stopped, writer } = this.#run;
    const isUnreadable = writer.isGone || stopped.reason instanceof Fault;
    // A run is cancelled only on request.
    if (stopped.aborted && this.#fault === undefined && !isUnreadable) {
      const cancelled = response && backgroundResponse.writeCancelled(response);
      return { state: "cancelled", response: cancelled };
    }
    if (response === undefined) {
      const isCut = this.#isCut || isUnreadable;
      return { state: this.#ending === "whole" && !isCut ? "completed" : "failed", isCut };
    }
    const reason = stopped.reason instanceof Fault ? stopped.reason : undefined;
    const fault = this.#fault ?? reason ?? new Fault("bad_gateway", "The answer broke off.");
    const failed = backgroundResponse.writeFailed(response, fault);
    return { state: "failed", response: failed, isCut: isUnreadable };
  }
}
