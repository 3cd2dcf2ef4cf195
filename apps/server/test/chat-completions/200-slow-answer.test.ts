// A whole answer may take minutes without any traffic on its connection: the idle timeout of the
// listener does not apply to it, and applies again once it is answered.
import { afterAll, afterEach, expect, test } from "bun:test";
import { once } from "node:events";
import { connect } from "node:net";
import {
  at,
  chatBody,
  expectCleanBooks,
  openAccount,
  postChat,
  rawPost,
  readJson,
  startTestServer,
  testCatalog,
  testModels,
} from "../harness/index.ts";

let asked = Promise.withResolvers<void>();
let mayAnswer = Promise.withResolvers<void>();

/** Answers when the test decides, which a script could not do. */
const upstream = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 0,
  async fetch(request) {
    await request.text();
    asked.resolve();
    await mayAnswer.promise;
    const message = { role: "assistant", content: "At last." };
    return Response.json({
      id: "slow",
      object: "chat.completion",
      created: 1,
      model: "slow",
      choices: [{ index: 0, message, finish_reason: "stop" }],
      usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 },
    });
  },
});
const server = await startTestServer({
  idleSeconds: 1,
  catalog: () => testCatalog(`${upstream.url}v1`),
});
const account = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(async () => {
  await server.close();
  await upstream.stop(true);
});

/** Asks once and then sends nothing; resolves when the server has closed the connection. */
async function awaitIdleClose(status: number, text: string): Promise<void> {
  const socket = connect(server.port, "127.0.0.1");
  socket.write(text);
  const [answer] = await once(socket, "data");
  expect(String(answer)).toStartWith(`HTTP/1.1 ${status} `);
  await once(socket.resume(), "close");
}

test("an answer that takes longer than the idle timeout arrives complete", async () => {
  asked = Promise.withResolvers();
  mayAnswer = Promise.withResolvers();
  const answer = postChat(server, account.key, chatBody({}));
  await asked.promise;
  await awaitIdleClose(200, "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
  mayAnswer.resolve();
  const response = await answer;
  expect(response.status).toBe(200);
  expect(at(await readJson(response), "choices.0.message.content")).toBe("At last.");
});

test("once it is answered or refused, an idle connection is closed like any other", async () => {
  mayAnswer.resolve();
  const headers = { authorization: `Bearer ${account.key}` };
  const ask = (model: string, status: number) =>
    awaitIdleClose(status, rawPost("/v1/chat/completions", headers, chatBody({}, { model })));
  await Promise.all([ask(testModels.cheap, 200), ask("no/such", 404)]);
});
