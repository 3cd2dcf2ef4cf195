// The Prometheus metrics of this process. The number of series is bounded, and an observation on the request path
// costs a map lookup and an addition.
import { collectDefaultMetrics, Registry } from "prom-client";
import { type BackgroundMeters, createBackgroundMeters } from "./background-meters.ts";
import { type ConsoleMeters, createConsoleMeters } from "./console-meters.ts";
import { createHealthMeters, type HealthMeters } from "./health-meters.ts";
import { createInstanceMeters, type InstanceMeters } from "./instance-meters.ts";
import { createItemMeters, type ItemMeters } from "./item-meters.ts";
import { createJobMeters, type JobMeters } from "./job-meters.ts";
import { createMoneyMeters, type MoneyMeters } from "./money-meters.ts";
import { createOverloadMeters, type OverloadMeters } from "./overload-meters.ts";
import { createPoolMeters, type PoolMeters } from "./pool-meters.ts";
import { createPromptMeters, type PromptMeters } from "./prompt-meters.ts";
import { createRequestMeters, type RequestMeters } from "./request-meters.ts";
import { createRouteMeters, type RouteMeters } from "./route-meters.ts";
import { createSalesMeters, type SalesMeters } from "./sales-meters.ts";
import { createTopUpMeters, type TopUpMeters } from "./top-up-meters.ts";
import { createUpstreamMeters, type UpstreamMeters } from "./upstream-meters.ts";
import { watchEventLoop } from "./watch-event-loop.ts";

export type MetricDescription = {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labels: readonly string[];
};

export type Metrics = MoneyMeters &
  BackgroundMeters &
  ConsoleMeters &
  TopUpMeters &
  InstanceMeters &
  OverloadMeters &
  ItemMeters &
  JobMeters &
  PoolMeters &
  PromptMeters &
  RouteMeters &
  SalesMeters &
  UpstreamMeters &
  RequestMeters &
  HealthMeters & {
    /** Prometheus text exposition and its content type. */
    expose(): Promise<{ readonly contentType: string; readonly body: string }>;
    /** Every metric, for its documentation. */
    describe(): readonly MetricDescription[];
    close(): void;
  };

/**
 * Opens the metrics of this process, on a separate registry. `worker` becomes a label of every
 * series: processes that share a port answer in turn, and their counters must not be mistaken for a single one.
 */
export function createMetrics(worker?: number): Metrics {
  const registry = new Registry();
  if (worker !== undefined) registry.setDefaultLabels({ worker: String(worker) });
  // The default of 10 ms wakes an idle process a hundred times a second.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  const stopWatching = watchEventLoop(registry);
  return {
    ...createMoneyMeters(registry),
    ...createBackgroundMeters(registry),
    ...createConsoleMeters(registry),
    ...createTopUpMeters(registry),
    ...createInstanceMeters(registry),
    ...createOverloadMeters(registry),
    ...createItemMeters(registry),
    ...createJobMeters(registry),
    ...createPoolMeters(registry),
    ...createPromptMeters(registry),
    ...createRouteMeters(registry),
    ...createSalesMeters(registry),
    ...createUpstreamMeters(registry),
    ...createRequestMeters(registry),
    ...createHealthMeters(registry),
    async expose() {
      return { contentType: registry.contentType, body: await registry.metrics() };
    },
    describe: () => registry.getMetricsAsArray().map(describeMetric),
    close() {
      stopWatching();
      registry.clear();
    },
  };
}

/** Every metric of prom-client has the names of its labels, which its types do not mention. */
function describeMetric(metric: RegisteredMetric): MetricDescription {
  const { name, help, type, labelNames } = metric as RegisteredMetric & {
    readonly labelNames: readonly string[];
  };
  return { name, help, type: String(type), labels: labelNames };
}

type RegisteredMetric = ReturnType<Registry["getMetricsAsArray"]>[number];
