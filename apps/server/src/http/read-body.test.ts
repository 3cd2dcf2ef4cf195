// Bodies as they come: in time, in pieces, too large, or never ending.
import { expect, test } from "bun:test";
import { readBody } from "./read-body.ts";

function streamed(...parts: readonly string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
      // Left open: a client that has stopped sending.
      if (parts.at(-1)?.endsWith("}")) controller.close();
    },
  });
}

function post(body: ReadableStream<Uint8Array>): Request {
  return new Request("http://turnpike.test/", { method: "POST", body });
}

test("a body that stops arriving is refused as a timeout, not waited for", async () => {
  const reading = readBody(post(streamed('{"a":')), 1_000, 10);
  expect(reading).rejects.toMatchObject({ code: "request_timeout" });
  await reading.catch(() => undefined);
});

test("a body in pieces is read whole, up to its limit and not beyond", async () => {
  expect(await readBody(post(streamed('{"a":', "1}")), 7)).toBe('{"a":1}');
  const reading = readBody(post(streamed('{"a":', "12}")), 7);
  expect(reading).rejects.toMatchObject({ code: "request_too_large" });
  await reading.catch(() => undefined);
});
