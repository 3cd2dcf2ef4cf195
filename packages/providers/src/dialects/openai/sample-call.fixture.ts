// Calls and upstream events for the tests of this package.

import { parseChatRequest } from "@turnpike/wire";
import { knownProviders } from "../../known-providers.ts";
import type { OpenaiProvider, StreamEvent } from "../../provider.ts";
import type { ChatCall } from "./build-request.ts";
import { EventStream } from "./event-stream.ts";

/** A provider with the quirks of a known one and the test's own address. */
export function sampleProvider(
  like: string,
  baseUrl = "https://api.example.com/v1",
): OpenaiProvider {
  const known = knownProviders[like];
  if (known?.kind !== "openai-compatible") throw new Error(`no known provider is called ${like}`);
  return {
    id: like,
    kind: "openai-compatible",
    baseUrl,
    credential: { scheme: "bearer", secret: "sk-upstream-0123456789abcdef" },
    quirks: known.quirks,
    cancelledStream: known.cancelledStream,
  };
}

export type SampleOptions = {
  readonly like?: string;
  readonly baseUrl?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** The body as text, if its exact bytes matter. */
  readonly raw?: string;
  readonly maxTokens?: number;
  /** The caller's language, if it is not the dialect's own. */
  readonly language?: string;
};

export function sampleCall(options: SampleOptions = {}): ChatCall {
  const messages = [{ role: "user", content: "Hello" }];
  const raw = options.raw ?? JSON.stringify({ model: "vendor/model", messages, ...options.body });
  return {
    provider: sampleProvider(options.like ?? "sandbox", options.baseUrl),
    upstreamModel: "model-1",
    request: { ...parseChatRequest(raw), ...(options.language && { language: options.language }) },
    maxTokens: options.maxTokens,
    coveredTokens: 1_000,
    omittedFields: [],
    identity: { id: "chatcmpl-ours", model: "vendor/model", created: 1_700_000_000 },
  };
}

/** An upstream's event with one choice. */
export function upstreamChunk(
  delta: Readonly<Record<string, unknown>>,
  choice: Readonly<Record<string, unknown>> = {},
  chunk: Readonly<Record<string, unknown>> = {},
): string {
  return JSON.stringify({
    id: "theirs",
    object: "chat.completion.chunk",
    created: 1,
    model: "model-1",
    choices: [{ index: 0, delta, finish_reason: null, ...choice }],
    ...chunk,
  });
}

/** The bytes of an event stream. */
export function sseBytes(...payloads: readonly string[]): Uint8Array {
  return new TextEncoder().encode(payloads.map((payload) => `data: ${payload}\n\n`).join(""));
}

export type Outcome = { readonly events: StreamEvent[]; readonly stream: EventStream };

/** Feeds whole events, then the end of the connection. */
export function readEvents(call: ChatCall, ...payloads: readonly string[]): Outcome {
  const stream = new EventStream(call, { maxEventBytes: 1024 * 1024, headers: new Headers() });
  const events = [...stream.push(sseBytes(...payloads)), ...stream.end()];
  return { events, stream };
}

/** Events as a client sees them: spliced ones as the parsed path would have written them. */
export function shown(events: readonly StreamEvent[]): readonly StreamEvent[] {
  return events.flatMap((event) => {
    if (event.kind !== "frame") return [event];
    const lines = new TextDecoder().decode(event.bytes).split("\n\n");
    if (lines.pop() !== "" || lines.length !== event.deltaCount) throw new Error(`frame ${lines}`);
    return lines.map((line, index): StreamEvent => {
      if (!line.startsWith("data: ")) throw new Error(`frame ${line}`);
      // Of several deltas only the sum is known.
      const tokens = index === 0 ? event.tokens : 0;
      return { kind: "chunk", json: line.slice("data: ".length), tokens };
    });
  });
}

/** The chunks among events, parsed. */
export function chunksOf(events: readonly StreamEvent[]): Record<string, unknown>[] {
  return shown(events).flatMap((event) => (event.kind === "chunk" ? [JSON.parse(event.json)] : []));
}

/** Our own count over all events. */
export function tokensOf(events: readonly StreamEvent[]): number {
  return events.reduce((sum, event) => sum + ("tokens" in event ? event.tokens : 0), 0);
}
