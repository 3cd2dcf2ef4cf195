// Bodies: 20 MiB is the limit for both ways of sending one, and anything larger, however much is
// announced or sent, is refused in the usual error format.
import { afterAll, afterEach, expect, test } from "bun:test";
import {
  chatBody,
  expectCleanBooks,
  expectFault,
  openAccount,
  postChat,
  readMoney,
  sendRaw,
  startTestServer,
} from "../harness/index.ts";

const server = await startTestServer();
const account = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

const maxBytes = 20 * 1024 * 1024;
/** A valid request of exactly this size: JSON may end in spaces. */
const bodyOf = (bytes: number) => JSON.stringify(chatBody({ deltas: 1 })).padEnd(bytes, " ");
const tooLarge = { status: 413, code: "request_too_large" };

function stream(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + 1_048_576));
      at += 1_048_576;
    },
  });
}

const post = (body: string | ReadableStream<Uint8Array>) =>
  fetch(`${server.baseUrl}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
    body,
  });

test("FC9: 20 MiB and one byte is refused, announced or not", async () => {
  const before = await readMoney(server, account.id);
  await expectFault(await post(bodyOf(maxBytes + 1)), tooLarge);
  await expectFault(await post(stream(bodyOf(maxBytes + 1))), tooLarge);
  expect(await readMoney(server, account.id)).toEqual(before);
  expect(server.upstream.requests).toHaveLength(0);
});

test("FC9: 20 MiB exactly is served, announced or not", async () => {
  for (const body of [bodyOf(maxBytes), stream(bodyOf(maxBytes))]) {
    const response = await post(body);
    expect(response.status).toBe(200);
    await response.text();
  }
});

test("a refused body does not affect the next call", async () => {
  const refused = await post(stream(bodyOf(maxBytes + 1)));
  await refused.text();
  expect((await postChat(server, account.key, chatBody({ deltas: 1 }))).status).toBe(200);
});

/** The head of a request that announces a body but sends none of it. */
const announce = (path: string, headers: Readonly<Record<string, string>>) =>
  [
    `POST ${path} HTTP/1.1`,
    "host: localhost",
    "connection: close",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "",
    "",
  ].join("\r\n");

const asResponse = ({ status, headers, body }: Awaited<ReturnType<typeof sendRaw>>) =>
  new Response(body, { status, headers });

const announced = [21 * 1024 ** 2, 200 * 1024 ** 2, 2 * 1024 ** 3, 2 ** 53 - 1];

test.each(announced)(
  "a body announced as %i bytes is refused before any of it arrives",
  async (bytes) => {
    const head = announce("/v1/chat/completions", {
      authorization: `Bearer ${account.key}`,
      "content-type": "application/json",
      "content-length": String(bytes),
    });
    const answer = asResponse(await sendRaw(server.port, head));
    const error = await expectFault(answer, tooLarge);
    expect(error.message).toBe("The request body is larger than 20 MiB.");
    expect(answer.headers.get("x-should-retry")).toBe("false");
  },
);

test("every route that reads a body answers one of 2 GiB itself, with an id", async () => {
  const json = { "content-type": "application/json", "content-length": String(2 * 1024 ** 3) };
  const origin = { "sec-fetch-site": "same-origin", origin: "http://localhost" };
  const paths: readonly (readonly [string, number])[] = [
    ["/stripe/webhook", 413],
    ["/console/csp-report", 413],
    ["/trpc/auth.logIn", 413],
    ["/console/playground", 401],
    ["/v1/unknown", 404],
  ];
  for (const [path, status] of paths) {
    const answer = await sendRaw(server.port, announce(path, { ...json, ...origin }));
    expect([path, answer.status]).toEqual([path, status]);
    expect(answer.headers.get("x-request-id")).toMatch(/^req_[0-9a-f]{32}$/);
    expect(answer.body).toContain(status === 413 ? "larger than" : "error");
  }
});

test("a client that sends all of a 40 MiB body still reads the refusal", async () => {
  await expectFault(await post(bodyOf(2 * maxBytes)), tooLarge);
  await expectFault(await post(stream(bodyOf(2 * maxBytes))), tooLarge);
});

test("FC9: a body without a length that never ends is refused as soon as it is too large", async () => {
  let sent = 0;
  const block = new Uint8Array(1_048_576).fill(32);
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += block.byteLength;
      controller.enqueue(block);
    },
  });
  await expectFault(await post(endless), tooLarge);
  expect(sent).toBeGreaterThan(maxBytes);
});
