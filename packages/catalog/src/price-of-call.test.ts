// What a call may write to a cache decides at which rates it is held for and billed: at the highest it can
// have, and never at one that was not held for, whatever an upstream reports.
import { expect, test } from "bun:test";
import { newId, type PriceId } from "@turnpike/base";
import { defaultQuirks, noCredential, type Provider } from "@turnpike/providers";
import { maxNanos } from "@turnpike/terms";
import { parseChatRequest } from "@turnpike/wire";
import fc from "fast-check";
import { sandboxModels } from "./file/sandbox-models.ts";
import type { ChatModel, ModelRequest, Route } from "./model.ts";
import { pricesOfCall, priceUsage } from "./price-of-call.ts";
import { worstCase } from "./worst-case.ts";

const [entry] = sandboxModels("http://127.0.0.1:1/v1");
if (entry?.operation !== "chat") throw new Error("there is no sandbox model to chat with");
const rates = {
  inputNanosPerMillion: 100_000_000n,
  cachedInputNanosPerMillion: 25_000_000n,
  cacheWriteNanosPerMillion: 125_000_000n,
  cacheWrite1hNanosPerMillion: 200_000_000n,
  outputNanosPerMillion: 400_000_000n,
};
const since = new Date(0);
const tiers = { flex: { ...rates, id: newId<PriceId>(), since } };
const price = { ...rates, tiers, id: newId<PriceId>(), since };
const model: ChatModel = { ...entry, price };

const shared = {
  id: "p",
  baseUrl: "http://127.0.0.1:1/v1",
  credential: noCredential,
  cancelledStream: "billed_as_written",
} as const;
const anthropic: Provider = { ...shared, kind: "anthropic" };
const openai: Provider = { ...shared, kind: "openai-compatible", quirks: defaultQuirks };
const google: Provider = { ...shared, kind: "google" };
const routeTo = (provider: Provider): Route => ({ provider, upstreamModel: "m" });

function askWith(ttl: string | undefined, fields: object = {}): ModelRequest {
  const mark = { type: "ephemeral", ...(ttl !== "" && { ttl }) };
  const part = { type: "text", text: "Hi", ...(ttl !== undefined && { cache_control: mark }) };
  const messages = [{ role: "user", content: [part] }];
  const request = parseChatRequest(JSON.stringify({ model: model.id, messages, ...fields }));
  return { operation: "chat", model, request };
}

const cases: readonly (readonly [string, Provider, string | undefined, bigint])[] = [
  ["Anthropic without a mark", anthropic, undefined, 100n],
  ["Anthropic with a mark", anthropic, "", 125n],
  ["Anthropic with a mark of five minutes", anthropic, "5m", 125n],
  ["Anthropic with a mark of an hour", anthropic, "1h", 200n],
  ["a provider that caches by itself", openai, undefined, 125n],
  ["a provider that the mark of an hour reaches", openai, "1h", 200n],
  ["a provider that the mark of an hour does not reach", google, "1h", 125n],
];

test.each(cases)(
  "a prompt token of %s costs at most its highest rate",
  (_, provider, ttl, most) => {
    const route = routeTo(provider);
    for (const fields of [{}, { service_tier: "flex" }, { service_tier: "auto" }]) {
      for (const held of pricesOfCall(askWith(ttl, fields), route)) {
        expect<bigint>(worstCase(held, 1_000, 0, 1)).toBe(1_000n * most);
      }
    }
  },
);

test.each(cases)("no usage of %s is billed at more than was held", (_, provider, ttl) => {
  const route = routeTo(provider);
  const share = fc.nat({ max: 100 });
  fc.assert(
    fc.property(fc.nat(100_000), share, share, share, (promptTokens, read, written, long) => {
      const of = (percent: number, total: number) => Math.floor((percent * total) / 100);
      const cachedTokens = of(read, promptTokens);
      const cacheWriteTokens = of(written, promptTokens - cachedTokens);
      const usage = {
        promptTokens,
        cachedTokens,
        cacheWriteTokens,
        completionTokens: 7,
        cacheWrite1hTokens: of(long, cacheWriteTokens),
        reasoningTokens: 0,
      };
      for (const fields of [{}, { service_tier: "flex" }]) {
        const modelRequest = askWith(ttl, fields);
        const [held] = pricesOfCall(modelRequest, route);
        const billed = priceUsage(modelRequest, route, usage);
        expect(billed.costNanos <= worstCase(held, promptTokens, 7, 1)).toBe(true);
        expect(billed.price.id).toBe(held.id);
      }
    }),
  );
});

/** Input, cached input, output. */
const threeRates = fc.tuple(...Array.from({ length: 3 }, () => fc.bigInt(0n, 10n ** 12n)));
const sizes = fc.uniqueArray(fc.integer({ min: 1, max: 90_000 }), { maxLength: 3 });

test("no prompt of any size is billed at more than was held for it, at the list of its size", () => {
  const versionOf = ([input = 0n, cached = 0n, output = 0n]: readonly bigint[]) => ({
    inputNanosPerMillion: input,
    cachedInputNanosPerMillion: cached,
    cacheWriteNanosPerMillion: input,
    outputNanosPerMillion: output,
    id: newId<PriceId>(),
    since,
  });
  const lists = fc.tuple(sizes, fc.array(threeRates, { minLength: 4, maxLength: 4 }));
  const markups = fc.option(fc.integer({ min: -10_000, max: 100_000 }), { nil: undefined });
  fc.assert(
    fc.property(lists, fc.nat(100_000), fc.nat(100_000), markups, (...given) => {
      const [[above, rows], bound, cached, markupBasisPoints] = given;
      const [first = versionOf([]), ...rest] = rows.map(versionOf);
      const longPrompts = above
        .toSorted((a, b) => a - b)
        .map((aboveTokens, at) => ({ ...(rest[at] ?? first), aboveTokens }));
      const priced = { ...first, longPrompts, tiers: { flex: { ...first, longPrompts } } };
      const route: Route = { ...routeTo(openai), price: priced };
      for (const fields of [{}, { service_tier: "flex" }, { service_tier: "auto" }]) {
        const modelRequest = { ...askWith(undefined, fields), markupBasisPoints };
        const held = pricesOfCall(modelRequest, route, bound)
          .map((each) => worstCase(each, bound, 7, 1))
          .reduce(maxNanos);
        for (const promptTokens of [bound, Math.floor(bound / 2), ...above, 0]) {
          if (promptTokens > bound) continue;
          const cachedTokens = Math.min(cached, promptTokens);
          const usage = { promptTokens, cachedTokens, cacheWriteTokens: 0, completionTokens: 7 };
          const billed = priceUsage(modelRequest, route, { ...usage, reasoningTokens: 0 });
          expect(billed.costNanos <= held).toBe(true);
          const own = longPrompts.findLast(({ aboveTokens }) => promptTokens > aboveTokens);
          expect(billed.price.id).toBe((own ?? first).id);
        }
      }
    }),
  );
});
