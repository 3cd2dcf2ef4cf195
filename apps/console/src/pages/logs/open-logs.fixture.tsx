// For tests of Logs: a request, its detail, and the page that shows them.
import { logRow } from "../../../test/log-row.fixture.ts";
import { openApp } from "../../../test/open-app.fixture.tsx";
import type { Answers } from "../../lib/api.ts";
import type { LogDetail } from "./use-log-detail.ts";
import type { LogRow } from "./use-logs-view.ts";

export { logRow as row };

export const detail: LogDetail = {
  ...logRow("gen-1"),
  requestId: "req_1",
  chatId: "chatcmpl-1",
  usageSource: "upstream",
  cachedTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  units: [],
  serviceTier: null,
  ignored: [],
  refusal: null,
  budget: null,
  guardrail: null,
  finishReason: "stop",
  nativeFinishReason: "stop",
  costLines: [
    { label: "Input", tokens: 1_234, usdPerMillion: "0.15", costUsd: "0.0001851" },
    { label: "Output", tokens: 7, usdPerMillion: "0.123456789", costUsd: "0.000000864197523" },
    { label: "Rounding", tokens: null, usdPerMillion: null, costUsd: "0.000000035802477" },
  ],
  heldUsd: "0.01",
  chargedUsd: "0.000186",
  shortfallUsd: "0",
  priceVersion: null,
  attempts: [{ provider: "p", model: "m", status: 200, firstByteMs: 9, error: null }],
  maxTokens: null,
  overheadMs: 3,
  userAgent: null,
  endedAt: null,
};

type Page = Answers["logs"]["list"];
export const pageOf = (...rows: LogRow[]): Page => ({
  rows,
  nextCursor: null,
  newer: null,
  histogram: null,
  used: true,
});

/** `more`: what the detail has beside that of the first request. */
export function openLogs(path: string, page: Page, more: object = {}) {
  return openApp(path, {
    "logs.list": () => ({ data: page }),
    "logs.detail": () => ({ data: { ...detail, ...more } }),
  });
}
