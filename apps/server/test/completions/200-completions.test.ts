// OpenAI's older completions endpoint: one of its real clients works unmodified with a chat model, whole
// and streamed, and pays what a chat completion costs.
import { afterAll, afterEach, expect, test } from "bun:test";
import OpenAI from "openai";
import {
  at,
  billCheap,
  expectCleanBooks,
  expectFault,
  openAccount,
  readEvents,
  readJson,
  readMoney,
  startTestServer,
  testModels,
  usdNumber,
} from "../harness/index.ts";

const server = await startTestServer();
const account = await openAccount(server);
const client = new OpenAI({ apiKey: account.key, baseURL: server.baseUrl });
afterAll(() => server.close());
afterEach(() => expectCleanBooks(server));

const promptOf = (script: object) => `Once #script ${JSON.stringify(script)}`;
const ask = { model: testModels.cheap, max_tokens: 50 };

const post = (body: object) =>
  fetch(`${server.baseUrl}/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...ask, ...body }),
  });

test("a whole text has OpenAI's format and its exact cost, and was sent upstream as a chat completion", async () => {
  const before = await readMoney(server, account.id);
  const prompt = promptOf({ text: "upon a time" });
  const body = await readJson(await post({ prompt, temperature: 0.5 }));
  expect(body).toMatchObject({ object: "text_completion", model: testModels.cheap });
  expect(body.choices).toEqual([
    { text: "upon a time", index: 0, logprobs: null, finish_reason: "stop" },
  ]);
  const costNanos = billCheap(body.usage);
  expect(at(body, "usage.cost")).toBe(usdNumber(costNanos));
  const after = await readMoney(server, account.id);
  expect(after.balanceNanos + costNanos).toBe(before.balanceNanos);
  const sent = server.upstream.requests.at(-1);
  expect(sent?.path).toBe("/v1/chat/completions");
  expect(sent?.parsed).toMatchObject({
    messages: [{ role: "user", content: prompt }],
    temperature: 0.5,
  });
});

test("openai-node reads the text, and its id names the generation", async () => {
  const answer = await client.completions.create({ ...ask, prompt: promptOf({ text: "hello" }) });
  expect(answer.choices[0]?.text).toBe("hello");
  expect(answer.usage?.completion_tokens).toBeGreaterThan(0);
  const generation = await client.get(`/generation?id=${answer.id}`);
  expect(at(generation, "data.model")).toBe(testModels.cheap);
});

test("openai-node reads the same text streamed, and usage if it requests it", async () => {
  const stream = await client.completions.create({
    ...ask,
    prompt: promptOf({ text: "upon a time", reasoning: 1 }),
    stream: true,
    stream_options: { include_usage: true },
  });
  let text = "";
  const finishes: unknown[] = [];
  let usage: unknown;
  for await (const chunk of stream) {
    expect(chunk.object).toBe("text_completion");
    text += chunk.choices[0]?.text ?? "";
    if (chunk.choices[0]?.finish_reason) finishes.push(chunk.choices[0].finish_reason);
    usage = chunk.usage ?? usage;
  }
  expect(text).toBe("upon a time");
  expect(finishes).toEqual(["stop"]);
  expect(at(usage, "cost")).toBe(usdNumber(billCheap(usage)));
});

test("several texts for one prompt have their own indexes", async () => {
  const body = await readJson(await post({ prompt: promptOf({ text: "one" }), n: 2 }));
  expect(at(body, "choices.0.index")).toBe(0);
  expect(at(body, "choices.1.index")).toBe(1);
});

test("a stream that breaks ends in an error event and not in [DONE]", async () => {
  const prompt = promptOf({ deltas: 5, errorAfterDeltas: 2 });
  const { events, done } = await readEvents(await post({ prompt, stream: true }));
  expect(at(events.at(-1), "error.code")).toBe("bad_gateway");
  expect(done).toBe(false);
});

test("what a chat model cannot do is refused by name before anything is called or held", async () => {
  const asked = server.upstream.requests.length;
  const refusal = { status: 400, code: "unsupported_parameter", param: "echo" };
  await expectFault(await post({ prompt: "Once", echo: true }), refusal);
  expect(server.upstream.requests.length).toBe(asked);
});
