// Failed calls and streams are counted with their reasons, against a server that fails some of them.
import { afterEach, expect, test } from "bun:test";
import { openStreams } from "./open-streams.ts";
import { expectNoFailures, sendLoad } from "./send-load.ts";
import { writeRequest } from "./write-request.ts";

let server: Bun.Server<undefined> | undefined;
afterEach(() => server?.stop(true));

/** Call number `number` is answered by `answer`; returns the port. */
function serve(answer: (number: number) => Response | Promise<Response>): number {
  let asked = 0;
  server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 255,
    fetch() {
      asked += 1;
      return answer(asked);
    },
  });
  return server.port ?? 0;
}

const refuse = () => new Response(`{"id":"${crypto.randomUUID()}"}`, { status: 503 });
const requestTo = (port: number) => writeRequest({ port, key: "key", stream: true });

function sendTo(port: number, connections: number) {
  const request = requestTo(port);
  return sendLoad({ port, connections, seconds: 1, nextRequest: () => request });
}

test("refused calls are counted by reason, and the connection goes on with calls that are answered", async () => {
  let answered = 0;
  const port = serve((number) => {
    if (number < 3) return refuse();
    answered += 1;
    return new Response("{}");
  });
  const result = await sendTo(port, 1);
  expect(answered).toBeGreaterThan(0);
  expect(result.calls).toBe(answered);
  const described = result.failures.describe(answered + 2, "calls");
  expect(described).toStartWith(
    `2 of ${answered + 2} calls failed: 2 × an answer was HTTP/1.1 503`,
  );
  expect(result.failures).toMatchObject({ refused: 2, broken: 0 });
  expect(() => expectNoFailures(result)).toThrow(described);
});

test("a server that refuses everything is soon no longer asked", async () => {
  let asked = 0;
  const port = serve(() => {
    asked += 1;
    return refuse();
  });
  const { calls, failures } = await sendTo(port, 4);
  expect(calls).toBe(0);
  expect(failures.areTooMany(asked)).toBeTrue();
  expect(failures.total).toBe(asked);
  expect(asked).toBeLessThanOrEqual(103);
});

test("a server that is not there is a failure of every call", async () => {
  const port = serve(refuse);
  await server?.stop(true);
  const { calls, failures } = await sendTo(port, 4);
  expect(calls).toBe(0);
  expect(failures.refused).toBe(0);
  expect(failures.broken).toBeGreaterThan(0);
});

/** An event at once, and the end when `ended` resolves. */
function stream(ended: Promise<void>): Response {
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue("data: {}\n\n");
      await ended;
      controller.close();
    },
  });
  return new Response(body);
}

test("a refused stream is counted with its reason, and all others are opened and read to their end", async () => {
  const ending = Promise.withResolvers<void>();
  const port = serve((number) => (number === 150 ? refuse() : stream(ending.promise)));
  const opened = openStreams(port, [requestTo(port)], 200);
  await opened.all;
  expect(opened.progress).toMatchObject({ asked: 200, events: 199, ended: 0 });
  ending.resolve();
  await opened.ended;
  opened.close();
  const { ended, failures } = opened.progress;
  expect(ended).toBe(199);
  expect(failures.areTooMany(200)).toBeFalse();
  expect(failures.describe(200, "streams")).toStartWith(
    "1 of 200 streams failed: 1 × an answer was HTTP/1.1 503",
  );
});

test("no more streams are opened once more than one in a hundred has failed", async () => {
  const port = serve(refuse);
  const opened = openStreams(port, [requestTo(port)], 1_000);
  await opened.all;
  await opened.ended;
  opened.close();
  const { asked, failures } = opened.progress;
  expect(failures.areTooMany(1_000)).toBeTrue();
  expect(failures.total).toBe(asked);
  expect(asked).toBeLessThan(100);
});
