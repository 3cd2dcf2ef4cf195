import { expect, test } from "bun:test";
import { readEvents } from "./read-events.ts";

const encoder = new TextEncoder();

function streamOf(parts: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

async function payloadsOf(parts: readonly Uint8Array[]): Promise<string[]> {
  const payloads: string[] = [];
  for await (const payload of readEvents(streamOf(parts))) payloads.push(payload);
  return payloads;
}

const wire = encoder.encode(
  ': keep-alive\n: keep-alive\ndata: {"text":"grüße 🚀"}\n\n: keep-alive\ndata:tight\n\ndata: [DONE]\n\n',
);
const expected = ['{"text":"grüße 🚀"}', "tight", "[DONE]"];

test("a stream cut at any byte has the same payloads", async () => {
  for (let at = 0; at <= wire.length; at += 1) {
    expect(await payloadsOf([wire.slice(0, at), wire.slice(at)])).toEqual(expected);
  }
  expect(await payloadsOf(Array.from(wire, (byte) => Uint8Array.of(byte)))).toEqual(expected);
});

test("an incomplete last event is dropped", async () => {
  expect(await payloadsOf([encoder.encode('data: {"a":1}\n\ndata: {"b":')])).toEqual(['{"a":1}']);
});

test("a reader that stops early cancels the stream", async () => {
  let canceled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(encoder.encode("data: again\n\n")),
    cancel() {
      canceled = true;
    },
  });
  for await (const payload of readEvents(body)) {
    expect(payload).toBe("again");
    break;
  }
  expect(canceled).toBe(true);
});
