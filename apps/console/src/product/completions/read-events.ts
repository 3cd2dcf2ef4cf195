// The payloads of a stream of server-sent events. However the network splits it, the same
// payloads come out, none twice and none partial; an incomplete last event is dropped.
import { createParser } from "eventsource-parser";

export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let payloads: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => payloads.push(data) });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* payloads;
      payloads = [];
    }
  } finally {
    // A reader that stops early also stops the answer.
    await reader.cancel().catch(() => undefined);
  }
}
