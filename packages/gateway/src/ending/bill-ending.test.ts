// Which calls are cut when their client disconnects: only those whose cost can be seen while they run.
import { expect, test } from "bun:test";
import { type AccountId, Fault, type JsonObject, newId } from "@turnpike/base";
import {
  boundExtras,
  boundPrompt,
  type ChatModel,
  isPossibleUsage,
  type ModelRequest,
  outputBound,
  priceUsage,
  worstCase,
} from "@turnpike/catalog";
import { toNanos } from "@turnpike/terms";
import { silentWav } from "@turnpike/testing";
import { askFor, chatModel } from "../chat-model.fixture.ts";
import { billEnding, isBilledAsDelivered } from "./bill-ending.ts";
import type { BilledProgress } from "./delivered-usage.ts";

const [route] = chatModel.routes;

test("a chat stream of text is cut if the provider then stops billing", () => {
  expect(isBilledAsDelivered(askFor(), route)).toBe(true);
  const provider = { ...route.provider, cancelledStream: "billed_whole" } as const;
  expect(isBilledAsDelivered(askFor(), { ...route, provider })).toBe(false);
});

test("a call whose cost cannot be seen while it runs is run to its end", () => {
  const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
  const hidden = { ...chatModel, reasoning: "hidden" } as const;
  for (const modelRequest of [
    askFor({ stream: false }),
    askFor({ messages: [{ role: "user", content: [image] }] }),
    askFor({}, hidden),
  ]) {
    expect(isBilledAsDelivered(modelRequest, route)).toBe(false);
  }
});

test.each([
  ["not_asked", undefined, undefined],
  ["refused", undefined, undefined],
  ["refused", new Fault("bad_gateway", "refused"), undefined],
  // Cut for the bounds of calls that continue without their clients: the prompt may have been read.
  ["asked", undefined, "counted"],
  // Ended by a restart of ours before the upstream had said anything.
  ["asked", new Fault("shutting_down", "restart"), undefined],
  ["accepted", undefined, "counted"],
] as const)(
  "the bill of a visible stream whose client disconnected, of an upstream in the state %s",
  async (state, fault, source) => {
    const progress = progressOf(askFor(), { upstream: { state } });
    const ending = { outcome: "client_closed", ...(fault && { fault }) } as const;
    expect((await billEnding(ending, progress, undefined))?.source).toBe(source);
  },
);

const speaking: ChatModel = {
  ...chatModel,
  audioTokensPerSecond: 10,
  price: {
    ...chatModel.price,
    audioInputNanosPerMillion: 40_000_000n,
    audioOutputNanosPerMillion: 80_000_000n,
    webSearchNanosPerMillion: 1_000_000_000n,
  },
};
const speech = { modalities: ["text", "audio"], audio: { voice: "alloy", format: "pcm16" } };
const audioPart = { type: "input_audio", input_audio: { data: silentWav(10), format: "wav" } };
const audioIn = {
  messages: [{ role: "user", content: [{ type: "text", text: "hi" }, audioPart] }],
};
const broken = { outcome: "upstream_failed", fault: new Fault("bad_gateway", "broken") } as const;

function progressOf(
  modelRequest: ModelRequest,
  more: Partial<BilledProgress> = {},
): BilledProgress {
  const { tokens, answers } = outputBound(modelRequest);
  return {
    call: { principal: { accountId: newId<AccountId>() } },
    modelRequest,
    route,
    upstream: { state: "accepted" },
    relayedTokens: 0,
    relayedAudioTokens: 0,
    relayedImages: 0,
    relayedUnits: undefined,
    usageSoFar: undefined,
    reservation: { coveredTokens: tokens * answers },
    ...more,
  };
}

function holdOf(modelRequest: ModelRequest): bigint {
  const { tokens, answers } = outputBound(modelRequest);
  const { price } = modelRequest.model;
  return worstCase(price, boundPrompt(modelRequest), tokens, answers, boundExtras(modelRequest));
}

test.each<[string, JsonObject]>([
  ["audio in and out with a search", { ...audioIn, ...speech, web_search_options: {} }],
  ["several answers in audio", { ...audioIn, ...speech, web_search_options: {}, n: 3 }],
  ["a prediction", { prediction: { type: "content", content: "x".repeat(300) }, n: 2 }],
  [
    "a prediction of an answer in audio",
    { ...speech, prediction: { type: "content", content: "x".repeat(300) } },
  ],
])("the upper estimate of %s is what was held, and never more", async (_, fields) => {
  const modelRequest = askFor({ max_tokens: 500, ...fields }, speaking);
  const billed = await billEnding(
    { outcome: "client_closed" },
    progressOf(modelRequest),
    undefined,
  );
  expect(billed?.source).toBe("estimated");
  if (billed === undefined) throw new Error("nothing is billed");
  const { costNanos } = priceUsage(modelRequest, route, billed.usage);
  expect(costNanos).toBe(toNanos(holdOf(modelRequest)));
});

test("a counted bill has audio and searches at their prices", async () => {
  const modelRequest = askFor({ ...audioIn, ...speech, web_search_options: {} }, speaking);
  const progress = progressOf(modelRequest, { relayedTokens: 50, relayedAudioTokens: 40 });
  for (const ending of [{ outcome: "completed" }, broken] as const) {
    const billed = await billEnding(ending, progress, undefined);
    expect(billed).toMatchObject({
      source: "counted",
      usage: {
        // The file's header counts as audio.
        audioPromptTokens: 101,
        completionTokens: 50,
        audioCompletionTokens: 40,
        webSearches: 1,
      },
    });
    expect(billed?.usage.promptTokens).toBeGreaterThan(100);
  }
  const silent = await billEnding(broken, progressOf(askFor(), { relayedTokens: 3 }), undefined);
  for (const name of ["audioPromptTokens", "audioCompletionTokens", "webSearches"]) {
    expect(silent?.usage).not.toHaveProperty(name);
  }
});

test("what was reported before the end is extended by audio and searches", async () => {
  const modelRequest = askFor({ ...audioIn, ...speech, web_search_options: {} }, speaking);
  const usageSoFar = {
    promptTokens: 120,
    completionTokens: 5,
    cachedTokens: 7,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    audioPromptTokens: 90,
    webSearches: 0,
  };
  const progress = progressOf(modelRequest, {
    usageSoFar,
    relayedTokens: 50,
    relayedAudioTokens: 40,
  });
  const billed = await billEnding(broken, progress, undefined);
  expect(billed?.usage).toEqual({
    ...usageSoFar,
    completionTokens: 50,
    audioCompletionTokens: 40,
    webSearches: 1,
  });
});

test("the upper estimate is usage that the model allows and the database can store", async () => {
  const prediction = { type: "content", content: "x".repeat(60_000) };
  const modelRequest = askFor({ prediction, max_tokens: 9_000, n: 4 }, speaking);
  const billed = await billEnding(
    { outcome: "client_closed" },
    progressOf(modelRequest),
    undefined,
  );
  expect(billed?.usage.completionTokens).toBe(speaking.contextTokens * 4);
  expect(billed && isPossibleUsage(modelRequest, billed.usage)).toBe(true);

  const huge = askFor({ prediction, n: 128 }, { ...speaking, contextTokens: 100_000_000 });
  const reservation = { coveredTokens: 100_000_000 * 128 };
  const most = await billEnding(
    { outcome: "client_closed" },
    progressOf(huge, { reservation }),
    undefined,
  );
  expect(most?.usage.completionTokens).toBe(2 ** 31 - 1);
});
