import { expect, test } from "bun:test";
import { modelOf } from "../../../test/model.fixture.ts";
import { limitInRequests } from "./limit-in-requests.ts";

// 1,200 × $2 / 1M + 300 × $8 / 1M = $0.0048.
const model = modelOf("acme/large", {
  name: "Large",
  prices: { inputUsd: "2", cachedInputUsd: "1", cacheWriteUsd: "2", outputUsd: "8" },
});
const size = "of 1,200 tokens in and 300 out.";

test("a limit is said in requests a day, at the present price", () => {
  expect(limitInRequests("0.48", "day", model)).toBe(`About 100 requests a day to Large, ${size}`);
  expect(limitInRequests("14.4", "month", model)).toBe(
    `About 100 requests a day to Large, ${size}`,
  );
  expect(limitInRequests("0.0048", "total", model)).toBe(
    `About 1 request in total to Large, ${size}`,
  );
  expect(limitInRequests("0.01", "week", model)).toBe(
    `Less than one request a day to Large, ${size}`,
  );
});

test("an amount of whole requests is never one request short", () => {
  // As floats: 0.3 / 0.1 and 4.35 / 30 / 0.0145 round down to one less.
  const priced = (inputUsd: string) =>
    modelOf("acme/exact", {
      name: "Exact",
      prices: { inputUsd, cachedInputUsd: "0", cacheWriteUsd: "0", outputUsd: "0" },
    });
  for (const [amount, period, inputUsd, count] of [
    ["0.3", "total", "83.333333333", 3],
    ["0.000000003", "total", "0.000000001", 3],
    ["4.35", "month", "12.083333333", 10],
  ] as const) {
    expect(limitInRequests(amount, period, priced(inputUsd))).toContain(`About ${count} requests`);
  }
});

test("nothing is said of no amount, no model and a free one", () => {
  const free = modelOf("acme/free", {
    prices: { inputUsd: "0", cachedInputUsd: "0", cacheWriteUsd: "0", outputUsd: "0" },
  });
  for (const amount of ["", " ", "0", "-1", "ten"]) {
    expect(limitInRequests(amount, "day", model)).toBeUndefined();
  }
  expect(limitInRequests("5", "day", undefined)).toBeUndefined();
  expect(limitInRequests("5", "day", free)).toBeUndefined();
});
