// A provider that reports nothing, or zero, for what it plainly did: what was measured here is billed, at the prices of the call,
// and never less than that because a part of the report is missing.
import { afterAll, afterEach, expect, test } from "bun:test";
import { wavFile } from "@turnpike/testing";
import {
  expectCleanBooks,
  openAccount,
  postJson,
  readMoney,
  startTestServer,
  testModels,
  waitForSettled,
} from "../harness/index.ts";

const server = await startTestServer();
afterAll(() => server.close());
afterEach(() => expectCleanBooks(server));

/** A text that has the scripted upstream answer with exactly this body. */
function answering(body: object): string {
  const headers = { "content-type": "application/json" };
  return `hello #script ${JSON.stringify({ body: JSON.stringify(body), headers })}`;
}

type Account = Awaited<ReturnType<typeof openAccount>>;

async function spentBy(account: Account, response: Response): Promise<bigint> {
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
  await waitForSettled(server);
  return 10_000_000_000n - (await readMoney(server, account.id)).balanceNanos;
}

const data = [{ b64_json: "AAAA" }];
const noTokens = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };

test.each([
  ["an image by the token", noTokens, 4_200n * 30_000n],
  [
    "the output of an image",
    { input_tokens: 20, output_tokens: 0 },
    4_200n * 30_000n + 20n * 5_000n,
  ],
  ["an image by the token without a count", {}, 4_200n * 30_000n],
])("%s that is reported as nothing costs its bound", async (_what, usage, least) => {
  const account = await openAccount(server);
  const response = await postJson(server, account.key, "/images/generations", {
    model: testModels.image,
    prompt: answering({ created: 1, data, usage }),
    size: "1024x1024",
    quality: "high",
  });
  const spent = await spentBy(account, response);
  expect(spent).toBeGreaterThanOrEqual(least);
  // The prompt is counted: a token has at least one byte.
  expect(spent).toBeLessThan(4_200n * 30_000n + 300n * 5_000n);
});

test("an input that is reported as nothing is counted, and the output costs what is reported", async () => {
  const account = await openAccount(server);
  const response = await postJson(server, account.key, "/images/generations", {
    model: testModels.image,
    prompt: answering({ created: 1, data, usage: { input_tokens: 0, output_tokens: 1_000 } }),
    size: "1024x1024",
    quality: "high",
  });
  const spent = await spentBy(account, response);
  expect(spent).toBeGreaterThan(1_000n * 30_000n);
  expect(spent).toBeLessThan(1_000n * 30_000n + 300n * 5_000n);
});

const ranked = { results: [{ index: 0, relevance_score: 0.5 }] };
const documents = Array.from({ length: 150 }, (_, index) => `document ${index}`);

test.each([
  ["search units", testModels.rerank, { meta: { billed_units: { search_units: 0 } } }, 4_000_000n],
  ["no units", testModels.rerank, { meta: {} }, 4_000_000n],
  ["tokens", testModels.rerankTokens, { usage: { total_tokens: 0 } }, 150n * 2n * 50n],
] as const)("a rerank whose %s are zero is counted", async (_what, model, usage, least) => {
  const account = await openAccount(server);
  const response = await postJson(server, account.key, "/rerank", {
    model,
    query: answering({ ...ranked, ...usage }),
    documents,
  });
  expect(await spentBy(account, response)).toBeGreaterThanOrEqual(least);
});

test.each([
  ["minute", testModels.transcription, { type: "duration", seconds: 0 }, 6_000_000n],
  ["minute, with a time below zero", testModels.transcription, { seconds: -60 }, 6_000_000n],
  ["minute, with tokens of nothing", testModels.transcription, noTokens, 6_000_000n],
  ["token", testModels.transcriptionTokens, noTokens, 600n * 2_500n],
  ["token, in time", testModels.transcriptionTokens, { seconds: 0 }, 600n * 2_500n],
] as const)(
  "a transcription by the %s that is reported as nothing costs what was measured",
  async (_what, model, usage, least) => {
    const account = await openAccount(server);
    const form = new FormData();
    form.append("model", model);
    form.append("prompt", answering({ text: "hello there", usage }));
    form.append("file", new File([new Uint8Array(wavFile({ seconds: 60 }))], "a.wav"));
    const response = await fetch(`${server.baseUrl}/audio/transcriptions`, {
      method: "POST",
      headers: { authorization: `Bearer ${account.key}` },
      body: form,
    });
    expect(await spentBy(account, response)).toBeGreaterThanOrEqual(least);
  },
);

test("embeddings whose tokens are zero are counted", async () => {
  const account = await openAccount(server);
  const vectors = [{ object: "embedding", index: 0, embedding: [0.5, 0.25] }];
  const response = await postJson(server, account.key, "/embeddings", {
    model: testModels.embeddings,
    input: answering({ object: "list", data: vectors, usage: { prompt_tokens: 0 } }),
  });
  expect(await spentBy(account, response)).toBeGreaterThan(0n);
});
