import { expect, test } from "bun:test";
import { presentRates } from "./present-model.ts";

const rates = {
  inputNanosPerMillion: 3_000_000_000n,
  cachedInputNanosPerMillion: 300_000_000n,
  cacheWriteNanosPerMillion: 3_750_000_000n,
  outputNanosPerMillion: 15_000_000_000n,
};
const shown = { inputUsd: "3", cachedInputUsd: "0.3", cacheWriteUsd: "3.75", outputUsd: "15" };

test("a model shows only the prices it has", () => {
  expect(presentRates(rates)).toStrictEqual(shown);
});

test.each([
  ["cacheWrite1hNanosPerMillion", "cacheWrite1hUsd", "6"],
  ["audioInputNanosPerMillion", "audioInputUsd", "6"],
  ["audioOutputNanosPerMillion", "audioOutputUsd", "6"],
  ["webSearchNanosPerMillion", "webSearchUsd", "0.006"],
])("a price of %s is shown as %s, searches by the thousand", (rate, name, usd) => {
  const presented = presentRates({ ...rates, [rate]: 6_000_000_000n });
  expect(presented).toStrictEqual({ ...shown, [name]: usd });
});
