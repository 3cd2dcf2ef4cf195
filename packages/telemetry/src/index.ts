// The log with its redaction, the metrics, and the loop of every periodic task.
export type { BackgroundUsage } from "./background-meters.ts";
export type { ItemsNotKept } from "./item-meters.ts";
export type { QueueFigures, QueueName } from "./job-meters.ts";
export { createLog, type Log, type LogLevel, type LogOptions, SecretList } from "./log.ts";
export { createMetrics, type MetricDescription, type Metrics } from "./metrics.ts";
export type { ShedReason } from "./overload-meters.ts";
export type { PoolFigures } from "./pool-meters.ts";
export type { PromptMeters, PromptsNotStored } from "./prompt-meters.ts";
export { redactText } from "./redact.ts";
export type { RetryReason, RouteFigures } from "./route-meters.ts";
export { SeriesTree } from "./series-tree.ts";
export { type Loop, type LoopOptions, measureRun, startInterval, tick } from "./start-interval.ts";
export type { TopUpMeters } from "./top-up-meters.ts";
export {
  type AttemptTrace,
  type CallTrace,
  samplers,
  type Tracing,
} from "./tracing/call-trace.ts";
export { openTracing, tryTracing } from "./tracing/open-tracing.ts";
