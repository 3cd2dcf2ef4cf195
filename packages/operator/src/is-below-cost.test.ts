import { expect, test } from "bun:test";
import type { UnitRate } from "@turnpike/terms";
import { isBelowCost } from "./is-below-cost.ts";

const free = {
  inputNanosPerMillion: 0n,
  cachedInputNanosPerMillion: 0n,
  cacheWriteNanosPerMillion: 0n,
  outputNanosPerMillion: 0n,
};

function sells(price: readonly UnitRate[], cost: readonly UnitRate[], markup = 0): boolean {
  return isBelowCost({ ...free, units: price }, { ...free, units: cost }, markup);
}

const image = (nanosPerMillion: bigint, variant?: string): UnitRate => ({
  unit: "images",
  variant,
  nanosPerMillion,
});

test("a unit that is sold for less than it costs is below cost, in any variant", () => {
  expect(sells([image(40n)], [image(40n)])).toBe(false);
  expect(sells([image(39n)], [image(40n)])).toBe(true);
  expect(sells([image(40n)], [image(40n)], -1_000)).toBe(true);
  expect(sells([image(40n, "1K"), image(50n, "4K")], [image(40n)])).toBe(false);
  expect(sells([image(40n)], [image(30n, "1K"), image(41n, "4K")])).toBe(true);
});

test("units whose cost is not known are not compared", () => {
  expect(sells([image(1n)], [{ unit: "characters", nanosPerMillion: 5n }])).toBe(false);
});
