// Reads speech that an upstream sends as the bytes of a file, and passes it on as it comes: as these bytes, or in events for a
// caller who asked for them.
import type { Fault } from "@turnpike/base";
import type { SpeechRequest } from "@turnpike/wire";
import type { StreamEvent, StreamReader } from "../provider.ts";
import { endedEarly } from "../refusals/refuse.ts";
import { SpokenTokens } from "./spoken-tokens.ts";

/** Audio without an end of its own: the connection's end is its end. An empty one is none. */
export class AudioStream implements StreamReader {
  readonly #tokens: SpokenTokens;
  readonly #inEvents: boolean;
  /** What the next piece begins with; of pieces in events, because base64 has no padding in its middle. */
  #rest: Uint8Array;
  #hasAudio = false;
  fault: Fault | undefined;
  done = false;
  readonly upstreamId = undefined;

  /** `head` is sent before the first bytes of the upstream. */
  constructor({ format, answersInEvents }: SpeechRequest, head: Uint8Array = new Uint8Array()) {
    this.#tokens = new SpokenTokens(format);
    this.#inEvents = answersInEvents;
    this.#rest = head;
  }

  get finished(): boolean {
    return this.done;
  }

  push(bytes: Uint8Array): StreamEvent[] {
    if (bytes.byteLength === 0 || this.fault !== undefined || this.done) return [];
    this.#hasAudio = true;
    const tokens = this.#tokens.add(bytes);
    const all = this.#rest.byteLength === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    if (this.#inEvents) return this.#asEvents(all, tokens);
    this.#rest = new Uint8Array();
    return [{ kind: "frame", bytes: new Uint8Array(all), tokens, deltaCount: tokens }];
  }

  end(): StreamEvent[] {
    if (this.fault !== undefined || this.done) return [];
    if (!this.#hasAudio) {
      this.fault = endedEarly();
      return [];
    }
    this.done = true;
    const last = this.#rest.byteLength === 0 ? [] : [eventOf(this.#rest, 0)];
    return [...last, { kind: "done" }];
  }

  #asEvents(bytes: Uint8Array, tokens: number): StreamEvent[] {
    const whole = bytes.byteLength - (bytes.byteLength % 3);
    this.#rest = bytes.slice(whole);
    return whole === 0 ? [] : [eventOf(bytes.subarray(0, whole), tokens)];
  }
}

function eventOf(bytes: Uint8Array, tokens: number): StreamEvent {
  const audio = Buffer.from(bytes).toString("base64");
  return { kind: "chunk", json: JSON.stringify({ type: "speech.audio.delta", audio }), tokens };
}
