// How the chart of requests is described to people who cannot see it.
import { expect, test } from "bun:test";
import { describeOutcomes } from "./log-histogram.tsx";

test.each([
  [0, 0, "0 requests, none failed."],
  [1, 0, "1 request, which succeeded."],
  [1, 1, "1 request, which failed or was canceled."],
  [2, 2, "2 requests, all of them failed or were canceled."],
  [9, 1, "9 requests, 1 of them failed or was canceled."],
  [1_234, 3, "1,234 requests, 3 of them failed or were canceled."],
])("%d requests and %d failures are described in a correct sentence", (all, failed, sentence) => {
  expect(describeOutcomes(all, failed)).toBe(sentence);
});
