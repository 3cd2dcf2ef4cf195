// The front door: the log with its redaction, and the metrics.
export type { BackgroundUsage } from "./background-meters.ts";
export { type Log, type LogLevel, type LogOptions, openLog } from "./log.ts";
export { type EndedRequest, type Lane, type Metrics, openMetrics } from "./metrics.ts";
export type { ShedReason } from "./overload-meters.ts";
export { redactText } from "./redact.ts";
export type { TopUpMeters } from "./top-up-meters.ts";
