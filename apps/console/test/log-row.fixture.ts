// A request as lists show it.
import type { Answers } from "../src/lib/api.ts";

type LogRow = Answers["logs"]["list"]["rows"][number];

export const logRow = (id: string, more: Partial<LogRow> = {}): LogRow => ({
  id,
  at: new Date().toISOString(),
  status: 200,
  outcome: "completed",
  errorCode: null,
  model: "m/one",
  provider: "p",
  keyId: null,
  keyName: "ci",
  app: null,
  user: null,
  origin: "api",
  operation: "chat",
  promptTokens: 1_234,
  completionTokens: 7,
  cached: false,
  costUsd: "0.000186",
  firstTokenMs: 12,
  totalMs: 34,
  streamed: false,
  cachedFrom: null,
  ...more,
});
