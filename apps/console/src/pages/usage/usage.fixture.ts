// Answers to what Usage asks: a few requests of two models and a day that is unlike the others.
import type { Explored, Usage } from "./use-usage.ts";

export const sums = (costUsd: string, requests: number) => ({
  costUsd,
  requests,
  promptTokens: requests * 10,
  completionTokens: requests * 5,
  cachedTokens: 0,
  units: {},
});

export const timing = { errorRate: 0.25, p50Ms: 840, p95Ms: 1_240, firstTokenP50Ms: 120 };

export const usage: Usage = {
  bucket: "day",
  coveredFrom: null,
  cards: { ...sums("1.100000001", 4), ...timing },
  previous: { ...sums("2.2", 2), ...timing },
  previousSeries: [
    { at: "2026-03-08T00:00:00.000Z", costUsd: "2.2" },
    { at: "2026-03-09T00:00:00.000Z", costUsd: "0" },
  ],
  used: true,
  series: [
    { at: "2026-03-10T00:00:00.000Z", groups: [{ id: "m/one", ...sums("0.1", 1) }] },
    {
      at: "2026-03-11T00:00:00.000Z",
      groups: [
        { id: "m/one", ...sums("0.2", 1) },
        { id: "m/two", ...sums("0.800000001", 2) },
      ],
    },
  ],
  latency: [],
  errors: [{ code: "bad_gateway", count: 1 }],
  breakdown: [
    { id: "m/two", label: "m/two", ...timing, errorRate: 0.5, ...sums("0.800000001", 2) },
    { id: "m/one", label: "m/one", ...timing, p95Ms: 2_500, ...sums("0.3", 2) },
  ],
};

const reason = (id: string, label: string) => ({ id, label, value: "8.5", usual: "0.9" });

export const explored: Explored = {
  coveredFrom: null,
  total: "10.100000001",
  bucket: "day",
  by: "model",
  columns: [
    { id: "k1", label: "production" },
    { id: null, label: "Other" },
  ],
  rows: [
    { id: "m/one", label: "m/one", total: "9.1", requests: 3, cells: ["9", "0.1"] },
    { id: "", label: "(none)", total: "1.000000001", requests: 1, cells: ["0", "1.000000001"] },
  ],
  series: [
    { at: "2026-03-10T00:00:00.000Z", groups: [{ id: "m/one", label: "m/one", value: "1.1" }] },
    { at: "2026-03-11T00:00:00.000Z", groups: [{ id: null, label: "Other", value: "9" }] },
  ],
  unusual: [
    {
      at: "2026-03-11T00:00:00.000Z",
      value: "9",
      usual: "1.02",
      key: reason("k1", "production"),
      model: reason("m/one", "m/one"),
    },
  ],
};

export const forecast = {
  from: "2026-03-01T00:00:00.000Z",
  to: "2026-04-01T00:00:00.000Z",
  spentUsd: "10.1",
  expectedUsd: "40.25",
  basedOnDays: 7,
};
