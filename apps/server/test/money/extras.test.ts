// Predictions, audio and searches: accepted if they have a price, held for before the call, billed once by
// what the answer reports, and shown wherever a bill is shown. The expected amounts are calculated here.
import { expect, test } from "bun:test";
import { type Script, silentWav } from "@turnpike/testing";
import {
  at,
  expectFault,
  getPath,
  type JsonObject,
  openAccount,
  postChat,
  readJson,
  scripted,
  startTestServer,
  useServer,
} from "../harness/index.ts";
import { askBilled } from "./ask-billed.ts";
import { leaveInTheMiddle } from "./leave-in-the-middle.ts";
import { nanosOf, usdOf } from "./odd-prices.ts";

const model = "extras/all";
const contextTokens = 32_768;

/** Nano-dollars per million tokens, and per thousand searches. */
const rates = {
  input: 333_333_333n,
  output: 1_999_999_999n,
  audioInput: 40_000_000_007n,
  audioOutput: 80_000_000_003n,
  webSearch: 25_000_000_009n,
} as const;

function catalog(baseUrl: string): string {
  const { input, output, audioInput, audioOutput, webSearch } = rates;
  const plain = `input: "${usdOf(input)}", output: "${usdOf(output)}"`;
  const extras = `audioInput: "${usdOf(audioInput)}", audioOutput: "${usdOf(audioOutput)}", webSearch: "${usdOf(webSearch)}"`;
  const shape = `created: "2026-01-01"
    contextTokens: ${contextTokens}
    maxOutputTokens: 4096`;
  return `
providers:
  - { id: scripted, baseUrl: "${baseUrl}" }
models:
  - id: ${model}
    ${shape}
    capabilities: [prediction]
    audioTokensPerSecond: 10
    routes: [{ provider: scripted, model: upstream-all }]
    prices: { ${plain}, ${extras}, tiers: { flex: { ${plain} } } }
  - id: extras/none
    ${shape}
    routes: [{ provider: scripted, model: upstream-none }]
    prices: { ${plain} }
`;
}

type Used = {
  readonly prompt: number;
  readonly completion: number;
  readonly audioPrompt?: number;
  readonly audioCompletion?: number;
  readonly searches?: number;
};

function priceOf(used: Used): bigint {
  const { prompt, completion, audioPrompt = 0, audioCompletion = 0, searches = 0 } = used;
  const millionths =
    BigInt(prompt - audioPrompt) * rates.input +
    BigInt(audioPrompt) * rates.audioInput +
    BigInt(completion - audioCompletion) * rates.output +
    BigInt(audioCompletion) * rates.audioOutput +
    BigInt(searches) * rates.webSearch * 1_000n;
  return (millionths + 999_999n) / 1_000_000n;
}

const { server, account } = await useServer(startTestServer({ catalog }), { usd: "1000" });

const streamed = { stream: true, stream_options: { include_usage: true } };
const shapes = [
  ["a whole answer", {}],
  ["a stream", streamed],
] as const;

function call(script: Script, fields: JsonObject, parts?: readonly JsonObject[]) {
  return askBilled(server, { key: account.key, model, script, fields, ...(parts && { parts }) });
}

/** How `/v1/generation` names the details of a row. */
const shownAs = {
  audioPromptTokens: "native_tokens_audio_prompt",
  audioCompletionTokens: "native_tokens_audio_completion",
  acceptedPredictionTokens: "native_tokens_accepted_prediction",
  rejectedPredictionTokens: "native_tokens_rejected_prediction",
  webSearches: "num_web_searches",
};

/** What the row, `/v1/generation` and the lines in Logs show of a bill. */
async function expectBill(
  { received, row }: Awaited<ReturnType<typeof call>>,
  cost: bigint,
): Promise<JsonObject> {
  expect(row).toMatchObject({ chargedNanos: cost, shortfallNanos: 0n, usageSource: "upstream" });
  expect(row.heldNanos).toBeGreaterThanOrEqual(cost);
  expect(nanosOf(received.usage?.cost)).toBe(cost);
  const generation = await readJson(await getPath(server, account.key, `/generation?id=${row.id}`));
  expect(nanosOf(at(generation, "data.cost_usd"))).toBe(cost);
  const [details] = await server.owner.sql<{ usage_details: JsonObject }[]>`
    select usage_details from requests where id = ${row.id}`;
  const written = details?.usage_details ?? {};
  for (const [name, shown] of Object.entries(shownAs)) {
    expect(at(generation, `data.${shown}`)).toBe(written[name]);
  }
  return written;
}

const audioPart = (data: string, format = "wav") => ({
  type: "input_audio",
  input_audio: { data, format },
});
const speech = { modalities: ["text", "audio"], audio: { voice: "alloy", format: "pcm16" } };
const prediction = { type: "content", content: "x".repeat(400) };
const cites = {
  annotations: [
    {
      type: "url_citation",
      url_citation: { start_index: 0, end_index: 1, url: "https://example.com", title: "t" },
    },
  ],
};

test.each(shapes)("audio in the prompt is billed at its own price in %s", async (_, fields) => {
  const usage = {
    prompt_tokens: 50,
    completion_tokens: 7,
    total_tokens: 57,
    prompt_tokens_details: { audio_tokens: 20, cached_tokens: 0 },
  };
  const done = await call({ deltas: 7, usage }, fields, [audioPart(silentWav(2))]);
  const details = await expectBill(done, priceOf({ prompt: 50, completion: 7, audioPrompt: 20 }));
  expect(details).toEqual({ audioPromptTokens: 20 });
  expect(at(done.received.usage, "prompt_tokens_details.audio_tokens")).toBe(20);
  expect(at(done.sent, "messages.0.content.1.type")).toBe("input_audio");
});

test.each(shapes)("an audio answer is billed at its own price in %s", async (_, fields) => {
  const usage = {
    prompt_tokens: 30,
    completion_tokens: 41,
    total_tokens: 71,
    completion_tokens_details: { audio_tokens: 33 },
  };
  const audio = { id: "audio_1", data: "AAAA", transcript: "hi", expires_at: 1 };
  const script = { deltas: 3, usage, lastDelta: { audio } };
  const done = await call(script, { ...fields, ...speech });
  const cost = priceOf({ prompt: 30, completion: 41, audioCompletion: 33 });
  expect(await expectBill(done, cost)).toEqual({ audioCompletionTokens: 33 });
  expect(done.received.text).toContain('"transcript":"hi"');
  // Every token of the limit may be audio.
  expect(done.row.heldNanos).toBeGreaterThanOrEqual((60n * rates.audioOutput) / 1_000_000n);
});

test.each(shapes)(
  "a rejected prediction is held for and billed as output in %s",
  async (_, fields) => {
    const usage = {
      prompt_tokens: 150,
      completion_tokens: 60 + 100,
      total_tokens: 310,
      completion_tokens_details: {
        accepted_prediction_tokens: 20,
        rejected_prediction_tokens: 100,
      },
    };
    const done = await call({ deltas: 60, usage }, { ...fields, prediction });
    const details = await expectBill(done, priceOf({ prompt: 150, completion: 160 }));
    expect(details).toEqual({ acceptedPredictionTokens: 20, rejectedPredictionTokens: 100 });
    expect(at(done.received.usage, "completion_tokens_details")).toMatchObject({
      accepted_prediction_tokens: 20,
      rejected_prediction_tokens: 100,
    });
    // The answer's limit and every byte of the prediction.
    expect(done.row.heldNanos).toBeGreaterThanOrEqual((460n * rates.output) / 1_000_000n);
    expect(at(done.sent, "prediction.content")).toBe(prediction.content);
  },
);

test.each(shapes)("a search is billed once per answer, cited or not, in %s", async (_, fields) => {
  const asked = { ...fields, web_search_options: { search_context_size: "low" } };
  const usage = { prompt_tokens: 9_000, completion_tokens: 5, total_tokens: 9_005 };
  for (const n of [1, 2]) {
    const done = await call({ deltas: 5, usage, lastDelta: n === 1 ? {} : cites }, { ...asked, n });
    const cost = priceOf({ prompt: 9_000, completion: 5, searches: n });
    expect(await expectBill(done, cost)).toEqual({ webSearches: n });
    expect(at(done.received.usage, "server_tool_use.web_search_requests")).toBe(n);
  }
  const ordinary = await call({ deltas: 5, lastDelta: cites }, fields);
  const { promptTokens: prompt } = ordinary.row;
  expect(await expectBill(ordinary, priceOf({ prompt, completion: 5 }))).toEqual({});
});

test("audio is bounded by its duration, not its bytes", async () => {
  const usage = { prompt_tokens: 20, completion_tokens: 1, total_tokens: 21 };
  const { row } = await call({ deltas: 1, usage }, {}, [audioPart(silentWav(10))]);
  // 10 s at 10 tokens a second, and text of less than 2,000 bytes.
  const most = priceOf({ prompt: 2_100, completion: 60, audioPrompt: 110 });
  expect(row.heldNanos).toBeLessThanOrEqual(most);
  expect(row.heldNanos).toBeGreaterThanOrEqual((100n * rates.audioInput) / 1_000_000n);
});

test("audio of unknown length reserves a whole context", async () => {
  const usage = { prompt_tokens: 30_000, completion_tokens: 1, total_tokens: 30_001 };
  const details = { ...usage, prompt_tokens_details: { audio_tokens: 29_990 } };
  const done = await call({ deltas: 1, usage: details }, {}, [audioPart("not base64!", "mp3")]);
  await expectBill(done, priceOf({ prompt: 30_000, completion: 1, audioPrompt: 29_990 }));
});

test("money sets a shorter limit for an audio answer than for a text answer", async () => {
  const limits: number[] = [];
  for (const fields of [{}, speech]) {
    const poor = await openAccount(server, { usd: "0.06" });
    const body = { model, messages: [scripted({ deltas: 1 })], max_tokens: 4_096, ...fields };
    const response = await postChat(server, poor.key, body);
    limits.push(Number(response.headers.get("x-turnpike-max-tokens") ?? 4_096));
    await response.text();
  }
  const [text = 0, audio = 0] = limits;
  expect(text).toBe(4_096);
  expect(audio).toBeGreaterThanOrEqual(256);
  expect(audio).toBeLessThanOrEqual(750);
});

test("a client that disconnects from an answer with a prediction pays what is reported, once", async () => {
  const usage = { prompt_tokens: 140, completion_tokens: 90, total_tokens: 230 };
  const { row } = await leaveInTheMiddle(server, {
    name: "extras-left",
    key: account.key,
    model,
    script: { deltas: 20, usage },
    fields: { ...streamed, prediction, max_tokens: 60 },
  });
  expect(row).toMatchObject({ outcome: "client_closed", usageSource: "upstream" });
  expect(row.chargedNanos).toBe(priceOf({ prompt: 140, completion: 90 }));
});

test.each<[string, JsonObject]>([
  ["prediction", { prediction }],
  ["web_search_options", { web_search_options: {} }],
  ["modalities", speech],
  ["input_audio", { messages: [{ role: "user", content: [audioPart("AAAA")] }] }],
])(
  "%s is refused by name without a price, even if only its tier has none",
  async (param, fields) => {
    const before = server.upstream.requests.length;
    const ask = (more: JsonObject) =>
      postChat(server, account.key, { messages: [scripted({})], ...fields, ...more });
    const refused = { status: 400, code: "unsupported_parameter", param } as const;
    await expectFault(await ask({ model: "extras/none" }), refused);
    if (param !== "prediction")
      await expectFault(await ask({ model, service_tier: "flex" }), refused);
    expect(server.upstream.requests).toHaveLength(before);
  },
);

test("images as answers have no price, and audio requires a voice", async () => {
  const ask = (fields: JsonObject) =>
    postChat(server, account.key, { model, messages: [scripted({})], ...fields });
  await expectFault(await ask({ modalities: ["text", "image"] }), {
    status: 400,
    code: "unsupported_parameter",
    param: "modalities",
  });
  await expectFault(await ask({ modalities: ["text", "audio"] }), {
    status: 400,
    code: "missing_required_parameter",
    param: "audio",
  });
});

test("the prices are listed by OpenRouter's names, together with what they allow", async () => {
  const listed = await readJson(await getPath(server, account.key, `/models/${model}`));
  expect(listed).toMatchObject({
    pricing: {
      audio: "0.000040000000007",
      audio_output: "0.000080000000003",
      web_search: "0.025000000009",
    },
    architecture: { input_modalities: ["text", "audio"], output_modalities: ["text", "audio"] },
  });
  expect(listed.supported_parameters).toEqual(
    expect.arrayContaining(["prediction", "modalities", "audio", "web_search_options"]),
  );
  const none = await readJson(await getPath(server, account.key, "/models/extras/none"));
  expect(at(none, "pricing.web_search")).toBe("0");
  expect(at(none, "pricing.audio")).toBeUndefined();
});
