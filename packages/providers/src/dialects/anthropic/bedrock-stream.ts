// An Anthropic stream as Amazon Bedrock wraps it: frames of an AWS event stream, each with an event's JSON in base64.
// They are unwrapped into the bytes that Anthropic itself sends; exceptions become its error events.
import { Fault, isObject, parseObject, parseText } from "@turnpike/base";
import type { StreamEvent, StreamOptions, StreamReader } from "../../provider.ts";
import { type EventFrame, EventFrames } from "../../transport/event-frames.ts";
import { MessageStream, type MessagesCall } from "./message-stream.ts";

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ResponseStream.html */
const statusOfException: Readonly<Record<string, number>> = {
  internalServerException: 500,
  modelStreamErrorException: 502,
  modelTimeoutException: 504,
  serviceUnavailableException: 503,
  throttlingException: 429,
  validationException: 400,
};

const encoder = new TextEncoder();

export class BedrockStream implements StreamReader {
  readonly #frames: EventFrames;
  readonly #messages: MessageStream;
  #fault: Fault | undefined;

  constructor(call: MessagesCall, options: StreamOptions) {
    // Base64 turns three bytes into four, and each frame has padding.
    this.#frames = new EventFrames(2 * options.maxEventBytes);
    this.#messages = new MessageStream(call, options);
  }

  get fault(): Fault | undefined {
    return this.#fault ?? this.#messages.fault;
  }

  get done(): boolean {
    return this.#messages.done;
  }

  get finished(): boolean {
    return this.#messages.finished;
  }

  get upstreamId(): string | undefined {
    return this.#messages.upstreamId;
  }

  push(bytes: Uint8Array): StreamEvent[] {
    const events: StreamEvent[] = [];
    if (this.fault !== undefined || this.done) return events;
    try {
      for (const frame of this.#frames.push(bytes)) {
        const json = unwrap(frame);
        if (json !== undefined) events.push(...this.#messages.push(frameAsEvent(json)));
        if (this.fault !== undefined || this.done) break;
      }
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      this.#fault = thrown;
    }
    return events;
  }

  end(): StreamEvent[] {
    return this.#fault === undefined ? this.#messages.end() : [];
  }
}

/** Line ends inside JSON are whitespace, and would end the event. */
function frameAsEvent(json: string): Uint8Array {
  return encoder.encode(`data: ${json.replace(/[\r\n]+/g, " ")}\n\n`);
}

/** The JSON of one of Anthropic's events; undefined for a frame without one. */
function unwrap({ kind, name, text }: EventFrame): string | undefined {
  const body = parseObject(text);
  if (kind === "event") {
    const bytes = name === "chunk" ? parseText(body?.bytes) : undefined;
    return bytes === undefined ? undefined : Buffer.from(bytes, "base64").toString();
  }
  const said = parseText(body?.message) ?? (kind === "error" ? text : undefined);
  const message = said ?? parseText(isObject(body) ? body.originalMessage : undefined) ?? name;
  const status = statusOfException[name] ?? 502;
  return JSON.stringify({ type: "error", error: { type: name, message, status } });
}
