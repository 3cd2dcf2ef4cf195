// Prices as the console is told them, and read back from there.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { rateKinds } from "./rates.ts";
import { parsePrices, statePrices, stateRates } from "./stated-prices.ts";

const rates = {
  inputNanosPerMillion: 3_000_000_000n,
  cachedInputNanosPerMillion: 300_000_000n,
  cacheWriteNanosPerMillion: 3_750_000_000n,
  outputNanosPerMillion: 15_000_000_000n,
};
const shown = { inputUsd: "3", cachedInputUsd: "0.3", cacheWriteUsd: "3.75", outputUsd: "15" };

test("only the prices are stated that there are", () => {
  expect(stateRates(rates)).toStrictEqual(shown);
});

test.each([
  ["cacheWrite1hNanosPerMillion", "cacheWrite1hUsd", "6"],
  ["audioInputNanosPerMillion", "audioInputUsd", "6"],
  ["audioOutputNanosPerMillion", "audioOutputUsd", "6"],
  ["webSearchNanosPerMillion", "webSearchUsd", "0.006"],
])("a price of %s is stated as %s, searches by the thousand", (rate, name, usd) => {
  const stated = stateRates({ ...rates, [rate]: 6_000_000_000n });
  expect(stated).toStrictEqual({ ...shown, [name]: usd });
});

/** Any of the rates may be missing that may; those of searches are whole per thousand. */
const anyRates = fc
  .record(
    Object.fromEntries(
      rateKinds.map((kind) => [
        `${kind}NanosPerMillion`,
        fc.bigInt({ min: 0n, max: 10n ** 15n }).map((rate) => rate * 1_000n),
      ]),
    ),
    { requiredKeys: Object.keys(rates) },
  )
  .map((some) => ({ ...rates, ...some }));

test("what is stated reads back as the same prices, of every size of a prompt", () => {
  fc.assert(
    fc.property(anyRates, fc.array(anyRates, { maxLength: 3 }), (list, long) => {
      const longPrompts = long.map((sized, at) => ({ ...sized, aboveTokens: (at + 1) * 1_000 }));
      expect(parsePrices(statePrices({ ...list, longPrompts }))).toEqual({ ...list, longPrompts });
    }),
  );
});
