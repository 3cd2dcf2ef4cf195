// Service tiers: a call is admitted if its tier has a price, held at that price, and billed once at the
// tier its answer names. The expected amounts are calculated here, from the rates written below.
import { expect, test } from "bun:test";
import type { Script } from "@turnpike/testing";
import {
  at,
  expectFault,
  getPath,
  type JsonObject,
  openAccount,
  postChat,
  readEvents,
  readJson,
  scripted,
  startTestServer,
  useServer,
} from "../harness/index.ts";
import { askBilled } from "./ask-billed.ts";
import { leaveInTheMiddle } from "./leave-in-the-middle.ts";
import { nanosOf, usdOf } from "./odd-prices.ts";
import type { RequestRow } from "./read-requests.ts";

const model = "tiers/odd";
const includeUsage = { stream_options: { include_usage: true } };

type Rates = { readonly input: bigint; readonly cachedInput: bigint; readonly output: bigint };

/** Nano-dollars per million tokens. `fast` has no price. */
const rates = {
  default: { input: 333_333_333n, cachedInput: 77_777_777n, output: 1_999_999_999n },
  flex: { input: 166_666_667n, cachedInput: 38_888_889n, output: 999_999_997n },
  priority: { input: 612_345_679n, cachedInput: 201_000_001n, output: 3_500_000_003n },
} satisfies Record<string, Rates>;
type Tier = keyof typeof rates;

function pricesOf({ input, cachedInput, output }: Rates): string {
  const [i, c, o] = [input, cachedInput, output].map(usdOf);
  return `input: "${i}", cachedInput: "${c}", output: "${o}"`;
}

function catalog(baseUrl: string): string {
  const tiers = `tiers: { flex: { ${pricesOf(rates.flex)} }, priority: { ${pricesOf(rates.priority)} } }`;
  const shape = `created: "2026-01-01"
    contextTokens: 32768
    maxOutputTokens: 4096`;
  return `
providers:
  - { id: scripted, baseUrl: "${baseUrl}", quirks: { responses: native } }
  - { id: plain, baseUrl: "${baseUrl}" }
models:
  - id: ${model}
    ${shape}
    routes: [{ provider: plain, model: upstream-odd }]
    prices: { ${pricesOf(rates.default)}, ${tiers} }
  - id: tiers/some-routes
    ${shape}
    routes:
      - { provider: plain, model: upstream-plain, prices: { ${pricesOf(rates.default)} } }
      - { provider: scripted, model: upstream-tiers }
    prices: { ${pricesOf(rates.default)}, ${tiers} }
  - id: tiers/none
    ${shape}
    routes: [{ provider: plain, model: upstream-none }]
    prices: { ${pricesOf(rates.default)} }
`;
}

type Tokens = { readonly prompt: number; readonly cached: number; readonly completion: number };

function priceOf(tier: Tier, { prompt, cached, completion }: Tokens): bigint {
  const { input, cachedInput, output } = rates[tier];
  const millionths =
    BigInt(prompt - cached) * input + BigInt(cached) * cachedInput + BigInt(completion) * output;
  return (millionths + 999_999n) / 1_000_000n;
}

const { server, account } = await useServer(startTestServer({ catalog }));

/** The row of one call, and the cost that was shown to the client. */
function call(script: Script, fields: JsonObject = {}) {
  return askBilled(server, {
    key: account.key,
    model,
    script: { cachedTokens: 3, ...script },
    fields: { max_tokens: 50, ...fields },
  });
}

function tokensOf({ promptTokens, cachedTokens, completionTokens }: RequestRow): Tokens {
  return { prompt: promptTokens, cached: cachedTokens, completion: completionTokens };
}

/**
 * The most that 50 tokens of an answer can cost at a tier; the prompt is bounded by bytes, so the
 * hold is larger.
 */
function leastHold(tier: Tier, { prompt }: Tokens): bigint {
  return priceOf(tier, { prompt, cached: 0, completion: 50 });
}

for (const stream of [false, true]) {
  const how = stream ? "stream" : "whole answer";
  test.each<[asked: string, answered: string | undefined, billed: Tier]>([
    ["flex", "flex", "flex"],
    ["priority", "priority", "priority"],
    // The provider had no capacity for it: the cheaper price.
    ["priority", "default", "default"],
    // Never more than the requested tier.
    ["flex", "default", "flex"],
    ["flex", "priority", "flex"],
    ["priority", undefined, "priority"],
    ["auto", undefined, "default"],
    ["auto", "flex", "flex"],
    ["auto", "priority", "priority"],
    ["auto", "fast", "default"],
  ])(`${how}: a call that requests %s and is answered by %p is billed as %s`, async (...row) => {
    const [asked, answered, billed] = row;
    const script = { deltas: 7, ...(answered !== undefined && { serviceTier: answered }) };
    const fields = { service_tier: asked, stream, ...(stream && includeUsage) };
    const { received, row: written } = await call(script, fields);
    const cost = priceOf(billed, tokensOf(written));
    expect(written).toMatchObject({ chargedNanos: cost, shortfallNanos: 0n, state: "settled" });
    expect(nanosOf(received.usage?.cost)).toBe(cost);
    const held = asked === "flex" ? "flex" : "priority";
    expect(written.heldNanos).toBeGreaterThanOrEqual(leastHold(held, tokensOf(written)));
    const sent = server.upstream.requests.at(-1)?.parsed;
    expect(at(sent, "service_tier")).toBe(asked);
    const generation = await readGeneration(written.id);
    expect(at(generation, "data.service_tier")).toBe(billed);
    expect(nanosOf(at(generation, "data.cost_usd"))).toBe(cost);
  });
}

async function readGeneration(id: string): Promise<JsonObject> {
  return readJson(await getPath(server, account.key, `/generation?id=${id}`));
}

test("a call that names no tier, or the default one, costs the standard price, whatever tier answers", async () => {
  for (const fields of [{}, { service_tier: "default" }, { service_tier: null }]) {
    const { row } = await call({ deltas: 4, serviceTier: "priority" }, fields);
    expect(row.chargedNanos).toBe(priceOf("default", tokensOf(row)));
    expect(at(await readGeneration(row.id), "data.service_tier")).toBeNull();
  }
});

test("a cheaper tier holds less: enough money for that tier suffices", async () => {
  const body = { model, messages: [scripted({ deltas: 5 })], max_tokens: 50 };
  const [flex, standard] = await Promise.all(
    ["flex", "default"].map(async (service_tier) => {
      const { row } = await call({ deltas: 5 }, { service_tier });
      return row.heldNanos;
    }),
  );
  if (flex === undefined || standard === undefined) throw new Error("no hold");
  expect(flex).toBeLessThan(standard);
  const usd = usdOf(flex);
  const [poor, refused] = await Promise.all([
    openAccount(server, { usd }),
    openAccount(server, { usd }),
  ]);
  const answer = await postChat(server, poor.key, { ...body, service_tier: "flex" });
  expect(answer.status).toBe(200);
  await answer.text();
  const priority = await postChat(server, refused.key, { ...body, service_tier: "priority" });
  expect(priority.status).toBe(402);
  await priority.text();
});

test("money that only covers the standard tier sets a shorter limit for a more expensive one", async () => {
  const limits: number[] = [];
  for (const service_tier of ["flex", "priority", "auto"]) {
    const poor = await openAccount(server, { usd: "0.005" });
    // Equally long bodies, so that their prompts have the same bound.
    const user = "u".repeat(8 - service_tier.length);
    const messages = [scripted({ deltas: 1 })];
    const body = { model, messages, max_tokens: 4_096, service_tier, user };
    const response = await postChat(server, poor.key, body);
    limits.push(Number(response.headers.get("x-turnpike-max-tokens") ?? 4_096));
    await response.text();
  }
  const [flex = 0, priority = 0, auto = 0] = limits;
  expect(flex).toBeGreaterThan(priority);
  expect(priority).toBeLessThan(4_096);
  expect(auto).toBe(priority);
});

test("a client that disconnects is billed at the tier that answered, once", async () => {
  const name = "tier-left";
  const { row } = await leaveInTheMiddle(server, {
    name,
    key: account.key,
    model,
    script: { deltas: 20, serviceTier: "default" },
    fields: { stream: true, service_tier: "priority" },
  });
  expect(row).toMatchObject({ outcome: "client_closed", usageSource: "upstream" });
  expect(row.chargedNanos).toBe(priceOf("default", tokensOf(row)));
});

test("an answer that breaks off is billed at the requested tier", async () => {
  const { row } = await call(
    { deltas: 30, cutAfterDeltas: 8, paceMs: 2, serviceTier: "priority" },
    { service_tier: "priority", stream: true },
  );
  expect(row).toMatchObject({ outcome: "upstream_failed", usageSource: "counted" });
  expect(row.chargedNanos).toBe(priceOf("priority", tokensOf(row)));
});

test("a tier without a price is refused by name, and an unknown tier by its value", async () => {
  const messages = [scripted({})];
  const ask = (fields: JsonObject) => postChat(server, account.key, { model, messages, ...fields });
  const param = "service_tier";
  const before = server.upstream.requests.length;
  const unpriced = { status: 400, code: "unsupported_parameter", param } as const;
  await expectFault(await ask({ service_tier: "fast" }), unpriced);
  await expectFault(await ask({ model: "tiers/none", service_tier: "flex" }), unpriced);
  const invalid = { status: 400, code: "invalid_value", param } as const;
  await expectFault(await ask({ service_tier: "banana" }), invalid);
  expect(server.upstream.requests).toHaveLength(before);
});

test("only routes with a price for the tier are called with it, and the others without it", async () => {
  const ask = async (fields: JsonObject) => {
    const tag = crypto.randomUUID();
    const body = { model: "tiers/some-routes", messages: [scripted({ tag })], ...fields };
    await (await postChat(server, account.key, body)).text();
    return server.upstream.requests.find((request) => request.tag === tag)?.parsed;
  };
  expect(at(await ask({}), "model")).toBe("upstream-plain");
  expect(at(await ask({ service_tier: "flex" }), "model")).toBe("upstream-tiers");
});

test("a response requests a tier and names the one it was billed at", async () => {
  const ask = async (fields: JsonObject) => {
    const response = await fetch(`${server.baseUrl}/responses`, {
      method: "POST",
      headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model, ...fields }),
    });
    return response;
  };
  const script = { deltas: 6, serviceTier: "default", cachedTokens: 2 };
  const input = `hi #script ${JSON.stringify(script)}`;
  const body = await readJson(await ask({ input, service_tier: "priority" }));
  expect(body.service_tier).toBe("default");
  const tokens = {
    prompt: Number(at(body, "usage.input_tokens")),
    cached: 2,
    completion: Number(at(body, "usage.output_tokens")),
  };
  expect(nanosOf(at(body, "usage.cost"))).toBe(priceOf("default", tokens));
  const invalid = { status: 400, code: "invalid_value", param: "service_tier" } as const;
  await expectFault(await ask({ input, service_tier: "banana" }), invalid);
});

test("prices of tiers are listed, and an estimate uses that of the tier", async () => {
  const listed = await readJson(await getPath(server, account.key, `/models/${model}`));
  expect(listed).toMatchObject({
    pricing: { prompt: "0.000000333333333", completion: "0.000001999999999" },
    service_tiers: {
      flex: { prompt: "0.000000166666667", completion: "0.000000999999997" },
      priority: { input_cache_read: "0.000000201000001" },
    },
  });
  const plain = await readJson(await getPath(server, account.key, "/models/tiers/none"));
  expect(plain).not.toHaveProperty("service_tiers");
  const routes = await getPath(server, account.key, "/models/tiers/some-routes/endpoints");
  const { data } = await readJson(routes);
  expect(at(data, "endpoints.0.service_tiers")).toBeUndefined();
  expect(at(data, "endpoints.1.service_tiers.flex.prompt")).toBe("0.000000166666667");
  const estimate = async (service_tier: string) => {
    const response = await fetch(`${server.baseUrl}/estimate`, {
      method: "POST",
      headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model, messages: [scripted({})], max_tokens: 1000, service_tier }),
    });
    return Number(at(await readJson(response), "max_cost"));
  };
  const [flex, standard, auto, priority] = await Promise.all(
    ["flex", "default", "auto", "priority"].map(estimate),
  );
  expect(flex).toBeLessThan(standard ?? 0);
  expect(standard).toBeLessThan(priority ?? 0);
  expect(auto).toBe(priority ?? 0);
});

test("a stream shows the tier of its upstream", async () => {
  const body = { model, messages: [scripted({ deltas: 2, serviceTier: "flex" })], stream: true };
  const response = await postChat(server, account.key, { ...body, service_tier: "flex" });
  const { events } = await readEvents(response);
  expect(at(events[0], "service_tier")).toBe("flex");
});
