// Bodies that are being read count against the concurrent calls of their key and account, before they are
// expanded or parsed: what a caller may run bounds what it may make us read.
import { afterAll, afterEach, expect, test } from "bun:test";
import { noLimits } from "@turnpike/keys";
import {
  chatBody,
  expectCleanBooks,
  expectFault,
  openAccount,
  openConnection,
  postChat,
  startTestServer,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";

const server = await startTestServer();
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

const limits = { ...noLimits, concurrency: 2 };
const chatPath = "/v1/chat/completions";

/** Sends a call up to its last byte. */
async function postAllButOneByte(
  path: string,
  key: string,
  headers: Readonly<Record<string, string>> = {},
) {
  const isResponse = path.startsWith("/v1/responses");
  const asked = isResponse ? { model: "test/cheap", input: "hello" } : chatBody({ deltas: 1 });
  const body = JSON.stringify(asked);
  const { socket, waitFor } = await openConnection(server.port);
  const sent = {
    host: "localhost",
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "content-length": body.length,
    ...headers,
  };
  const head = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${path} HTTP/1.1\r\n${head.join("")}\r\n${body.slice(0, -1)}`);
  return {
    /** Sends the last byte and resolves with the status line of the answer. */
    async finish() {
      socket.write(body.slice(-1));
      const answer = await waitFor((text) => text.includes("\r\n\r\n"));
      return answer.split("\r\n", 1)[0];
    },
    leave: () => socket.destroy(),
  };
}

/** The answer to a call once it is no longer answered with `status`. */
function answerAfter(status: number, post: () => Promise<Response>): Promise<Response> {
  return eventually(`an answer other than ${status}`, async () => {
    const answer = await post();
    if (answer.status !== status) return answer;
    await answer.text();
    return undefined;
  });
}

/** A body that is read is refused for its content. */
function postNonsense(path: string, key: string): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: "not JSON",
  });
}

test.each([chatPath, "/v1/estimate", "/v1/messages/count_tokens", "/v1/responses/input_tokens"])(
  "a key may not have more bodies arriving than it may run calls: %s",
  async (path) => {
    const { key } = await openAccount(server, { limits });
    const calls = [await postAllButOneByte(path, key), await postAllButOneByte(path, key)];
    const refused = await answerAfter(400, () => postNonsense(path, key));
    expect(refused.status).toBe(429);
    await refused.text();
    for (const { finish } of calls) expect(await finish()).toBe("HTTP/1.1 200 OK");
    const read = await answerAfter(429, () => postNonsense(path, key));
    expect(read.status).toBe(400);
    await read.text();
    for (const { leave } of calls) leave();
  },
);

test("a client that disconnects while its body is arriving frees its place", async () => {
  const { key } = await openAccount(server, { limits });
  const calls = [await postAllButOneByte(chatPath, key), await postAllButOneByte(chatPath, key)];
  expect((await answerAfter(400, () => postNonsense(chatPath, key))).status).toBe(429);
  for (const { leave } of calls) leave();
  expect((await answerAfter(429, () => postNonsense(chatPath, key))).status).toBe(400);
});

test("a running call leaves room for a body: it may be a repetition of that call", async () => {
  const { key } = await openAccount(server, { limits: { ...noLimits, concurrency: 1 } });
  const running = await postChat(
    server,
    key,
    chatBody({ deltas: 1, ending: "stall" }, { stream: true }),
  );
  expect((await postNonsense(chatPath, key)).status).toBe(400);
  await expectFault(await postChat(server, key, chatBody({ deltas: 1 })), {
    status: 429,
    type: "requests",
    code: "rate_limit_exceeded",
  });
  await running.body?.cancel();
});

test.each([{ "content-encoding": "zstd" }, { "content-encoding": "gzip" }])(
  "small compressed bodies are read as many at once as calls may run: %j",
  async (headers) => {
    const { key } = await openAccount(server);
    const calls = [];
    for (let call = 0; call < 40; call += 1) {
      calls.push(await postAllButOneByte(chatPath, key, headers));
    }
    const answer = await postChat(server, key, "not compressed", { headers });
    expect(answer.status).toBe(400);
    await answer.text();
    for (const { leave } of calls) leave();
  },
);

test("repetitions that wait for their first call leave the key its places for other calls", async () => {
  const { key } = await openAccount(server, { limits });
  const tag = "first of many";
  const body = Bun.zstdCompressSync(JSON.stringify(chatBody({ tag, deltas: 1, gate: true })));
  const headers = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "content-encoding": "zstd",
    "idempotency-key": "many",
  };
  const post = () => fetch(`${server.url}${chatPath}`, { method: "POST", headers, body });
  const before = server.upstream.requests.length;
  const first = post();
  await eventually("the first call at its upstream", async () =>
    server.upstream.requests.length > before ? true : undefined,
  );
  // The most repetitions that may wait, and one more, whose refusal shows that the others do.
  const repetitions = Array.from({ length: 51 }, () => answerAfter(429, post));
  const refused = await Promise.race(repetitions);
  expect(refused.status).toBe(409);
  expect((await answerAfter(429, () => postNonsense(chatPath, key))).status).toBe(400);
  server.upstream.open(tag);
  const answers = await Promise.all([first, ...repetitions]);
  for (const answer of answers) if (answer !== refused) expect(answer.status).toBe(200);
});
