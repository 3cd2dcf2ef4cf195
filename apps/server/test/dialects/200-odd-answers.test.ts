// Answers in a form that was not asked for, with more stop sequences than the provider takes, or with a prompt whose
// size is not known yet: what every protocol makes of them, and what they cost.
import { expect, test } from "bun:test";
import {
  asObject,
  at,
  contentOf,
  expectCleanBooks,
  parseEvents,
  readJson,
  readMoney,
  startTestServer,
  testModels,
  useServer,
} from "../harness/index.ts";

const { server, account } = await useServer(startTestServer());

const events = { headers: { "content-type": "text/event-stream" } };
const json = { headers: { "content-type": "application/json" } };
const usage = { prompt_tokens: 20, completion_tokens: 3, total_tokens: 23 };

const wholeBody = JSON.stringify({
  id: "up-1",
  object: "chat.completion",
  choices: [
    { index: 0, message: { role: "assistant", content: "one two" }, finish_reason: "stop" },
  ],
  usage,
});

function chunk(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ id: "up-1", choices })}\n\n`;
}

const streamBody =
  chunk({ role: "assistant", content: "one" }) +
  chunk({ content: " two" }) +
  chunk({}, "stop") +
  `data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`;

const asked = [{ role: "user", content: "hi" }];
const protocols = {
  "chat/completions": { model: testModels.cheap, messages: asked },
  completions: { model: testModels.cheap, prompt: "hi" },
  messages: { model: testModels.cheap, max_tokens: 50, messages: asked },
  responses: { model: testModels.cheap, input: "hi" },
} as const;

function post(path: string, body: object): Promise<Response> {
  return fetch(`${server.baseUrl}/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${account.key}` },
    body: JSON.stringify(body),
  });
}

/** 20 tokens at 100 and 3 at 400 nano-dollars, as the upstream reports them. */
async function expectBilled(ask: () => Promise<void>): Promise<void> {
  const before = await readMoney(server, account.id);
  await ask();
  await expectCleanBooks(server);
  const after = await readMoney(server, account.id);
  expect(before.balanceNanos - after.balanceNanos).toBe(20n * 100n + 3n * 400n);
}

for (const [path, body] of Object.entries(protocols)) {
  test(`/v1/${path}: one JSON that answers a request for a stream is streamed, and billed as reported`, async () => {
    await expectBilled(async () => {
      server.upstream.script({ body: wholeBody, ...json });
      const response = await post(path, { ...body, stream: true });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toStartWith("text/event-stream");
      const text = await response.text();
      expect(text).toContain("one two");
      expect(text).toMatch(/\[DONE\]|message_stop|response\.completed/);
    });
  });

  test(`/v1/${path}: a stream that answers a request for one JSON is one JSON, and billed as reported`, async () => {
    for (const headers of [events, json]) {
      await expectBilled(async () => {
        server.upstream.script({ body: streamBody, ...headers });
        const response = await post(path, body);
        expect(response.status).toBe(200);
        expect(JSON.stringify(await readJson(response))).toContain("one two");
      });
    }
  });

  test(`/v1/${path}: a stream that broke off is no JSON, and costs nothing`, async () => {
    const before = await readMoney(server, account.id);
    server.upstream.script({ body: chunk({ content: "one" }), ...events });
    expect((await post(path, body)).status).toBe(502);
    await expectCleanBooks(server);
    expect(await readMoney(server, account.id)).toEqual(before);
  });

  test(`/v1/${path}: [DONE] without a reason why the answer ended is an error, text behind one is relayed`, async () => {
    server.upstream.script({ body: `${chunk({ content: "one" })}data: [DONE]\n\n`, ...events });
    const cut = await (await post(path, { ...body, stream: true })).text();
    expect(cut).toContain("one");
    expect(cut).toMatch(/"error"|response\.failed/);
    expect(cut).not.toMatch(/\[DONE\]|message_stop|response\.completed/);
    await expectBilled(async () => {
      const late = streamBody.replace(chunk({ content: " two" }), "");
      const behind = late.replace(
        chunk({}, "stop"),
        chunk({}, "stop") + chunk({ content: " two" }),
      );
      server.upstream.script({ body: behind, ...events });
      const text = await (await post(path, { ...body, stream: true })).text();
      expect(text).toContain(" two");
      expect(text.split(/"(?:finish_reason|stop_reason)":"(?:stop|end_turn)"/)).toHaveLength(
        path === "responses" ? 1 : 2,
      );
    });
  });
}

const stops = ["<1>", "<2>", "<3>", "<4>", "<5>", "<6>", "two"];

test.each(["chat/completions", "completions"] as const)(
  "/v1/%s: seven stop sequences are obeyed, although the provider takes four",
  async (path) => {
    for (const stream of [false, true]) {
      await expectBilled(async () => {
        server.upstream.script({
          body: stream ? streamBody : wholeBody,
          ...(stream ? events : json),
        });
        const response = await post(path, {
          ...protocols[path],
          stop: stops,
          stream,
          ...(stream && { stream_options: { include_usage: true } }),
        });
        expect(response.status).toBe(200);
        const text = await response.text();
        expect(text).toContain("one");
        expect(text).not.toContain("two");
        expect(text).toContain('"finish_reason":"stop"');
        if (stream) expect(parseEvents(text).done).toBe(true);
        if (stream && path !== "completions") expect(contentOf(parseEvents(text))).toBe("one ");
        const sent = server.upstream.requests.at(-1)?.parsed;
        expect(at(sent, "stop")).toEqual(stops.slice(0, 4));
      });
    }
    const refused = await post(path, { ...protocols[path], stop: new Array(65).fill("x") });
    expect(refused.status).toBe(400);
    expect(at(await refused.json(), "error.param")).toBe("stop");
  },
);

test("message_start says a prompt, message_delta the bill", async () => {
  server.upstream.script({ body: streamBody, ...events });
  const content = "word ".repeat(400);
  const body = { ...protocols.messages, stream: true, messages: [{ role: "user", content }] };
  const text = await (await post("messages", body)).text();
  const started = JSON.parse(/^data: (.*"message_start".*)$/m.exec(text)?.[1] ?? "");
  const tokens = Number(at(started, "message.usage.input_tokens"));
  expect(tokens).toBeGreaterThan(350);
  expect(tokens).toBeLessThan(600);
  expect(at(started, "message.usage.output_tokens")).toBe(0);
  const ended = JSON.parse(/^data: (.*"message_delta".*)$/m.exec(text)?.[1] ?? "");
  expect(at(ended, "usage.input_tokens")).toBe(20);
});

test("a null is sent to no provider, by no endpoint", async () => {
  const nulls = { user: null, temperature: null, metadata: null, tools: null };
  const requests: readonly (readonly [string, object])[] = [
    ...Object.entries(protocols).map(([path, body]) => [path, { ...body, ...nulls }] as const),
    [
      "embeddings",
      {
        model: testModels.embeddings,
        input: "abc",
        encoding_format: null,
        dimensions: null,
        user: null,
      },
    ],
  ];
  server.upstream.script({ deltas: 1 });
  for (const [path, body] of requests) {
    const response = await post(path, body);
    expect([path, response.status]).toEqual([path, 200]);
    await response.text();
    const sent = Object.entries(asObject(server.upstream.requests.at(-1)?.parsed));
    expect(sent.filter(([, value]) => value === null)).toEqual([]);
  }
});
