// A recorded answer: the copy is complete whether its client reads it, stops reading or disconnects, and
// it is bounded.
import { expect, spyOn, test } from "bun:test";
import { recordBody } from "./record-body.ts";

function source(pieces: readonly string[], onPull: () => void = () => undefined) {
  let next = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      onPull();
      const piece = pieces[next];
      next += 1;
      if (piece === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(piece));
    },
  });
}

test("the client and the copy get the same text", async () => {
  const { body, recorded, sent } = recordBody(source(["one ", "two ", "three"]), 100);
  expect(await new Response(body).text()).toBe("one two three");
  await sent;
  expect(await recorded).toBe("one two three");
});

test("a client that disconnects does not end the copy", async () => {
  const { body, recorded, sent } = recordBody(source(["one ", "two ", "three"]), 100);
  const reader = body.getReader();
  await reader.read();
  await reader.cancel();
  await sent;
  expect(await recorded).toBe("one two three");
});

test("a client that does not read stops the source", async () => {
  let pulls = 0;
  const pieces = Array.from({ length: 100 }, () => "piece");
  const { body } = recordBody(
    source(pieces, () => {
      pulls += 1;
    }),
    1_000,
  );
  await body.getReader().read();
  await new Promise(setImmediate);
  expect(pulls).toBeLessThan(10);
});

test("a copy that grows larger than its bound is dropped, and the client still gets all of it", async () => {
  const { body, recorded } = recordBody(source(["12345", "67890", "1"]), 10);
  expect(await new Response(body).text()).toBe("12345678901");
  expect(await recorded).toBeUndefined();
});

test("nothing more is copied once the copy has been dropped", async () => {
  const pieces = Array.from({ length: 4 }, () => new Uint8Array(6));
  const copied = pieces.map((piece) => spyOn(piece, "slice"));
  const whole = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const { body, recorded } = recordBody(whole, 10);
  expect((await new Response(body).bytes()).length).toBe(24);
  expect(await recorded).toBeUndefined();
  expect(copied.map((spy) => spy.mock.calls.length)).toEqual([1, 0, 0, 0]);
});

test("a source that breaks breaks the copy and the client's stream", async () => {
  const broken = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new Error("broken")),
  });
  const { body, recorded } = recordBody(broken, 10);
  const ends = await Promise.allSettled([new Response(body).text(), recorded]);
  expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});
