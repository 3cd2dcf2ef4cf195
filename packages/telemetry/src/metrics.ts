// The Prometheus metrics of this process. Every series is bounded: a model name counts only once the
// catalogue has announced it, and an observation on the request path costs a map lookup and an addition.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { type BackgroundMeters, openBackgroundMeters } from "./background-meters.ts";
import { type InstanceMeters, openInstanceMeters } from "./instance-meters.ts";
import { type MoneyMeters, openMoneyMeters } from "./money-meters.ts";
import { type OverloadMeters, openOverloadMeters } from "./overload-meters.ts";
import { openRouteMeters, type RouteMeters } from "./route-meters.ts";
import { openTopUpMeters, type TopUpMeters } from "./top-up-meters.ts";
import { openUpstreamMeters, type UpstreamMeters } from "./upstream-meters.ts";
import { watchEventLoop } from "./watch-event-loop.ts";

export type CommitQueue = "hold" | "settle" | "side";

export type EndedRequest = {
  /** As the caller sent it; a name that is not in the catalogue is counted as `other`. */
  readonly model: string | undefined;
  readonly status: number;
  /** One of our own terms (`completed`, `refused`, a fault code), never text from a caller. */
  readonly outcome: string;
};

export type Metrics = MoneyMeters &
  BackgroundMeters &
  TopUpMeters &
  InstanceMeters &
  OverloadMeters &
  RouteMeters &
  UpstreamMeters & {
    /** Models that get a series of their own from now on. */
    announceModels(ids: Iterable<string>): void;
    requestStarted(): void;
    requestEnded(request: EndedRequest): void;
    /** From the end of the caller's request body to the first byte of the answer. */
    observeFirstByte(milliseconds: number): void;
    /** The time spent in the gateway: everything but waiting for the upstream. */
    observeOverhead(milliseconds: number): void;
    observeBatch(queue: CommitQueue, size: number): void;
    /** How long one item waited for its batch to start. */
    observeBatchWait(queue: CommitQueue, milliseconds: number): void;
    countUnhandledRejection(): void;
    /** A browser blocked a part of the console; 0 unless something is wrong or someone sends fake reports. */
    countCspViolation(): void;
    /** Replaces the result of the last check of the books: check name to rows found. */
    setCheckerViolations(violations: ReadonlyMap<string, number>, checkedAt: Date): void;
    /** Prometheus text exposition and its content type. */
    expose(): Promise<{ readonly contentType: string; readonly body: string }>;
    close(): void;
  };

/**
 * Opens the metrics of this process, on a registry of their own. `worker` becomes a label of every
 * series: processes that share a port answer in turn, and their counters must not be mistaken for a single one.
 */
export function openMetrics(worker?: number): Metrics {
  const registry = new Registry();
  if (worker !== undefined) registry.setDefaultLabels({ worker: String(worker) });
  // The default of 10 ms wakes an idle process a hundred times a second.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  const stopWatching = watchEventLoop(registry);
  return {
    ...openMoneyMeters(registry),
    ...openBackgroundMeters(registry),
    ...openTopUpMeters(registry),
    ...openInstanceMeters(registry),
    ...openOverloadMeters(registry),
    ...openRouteMeters(registry),
    ...openUpstreamMeters(registry),
    ...openRequestMeters(registry),
    ...openBatchMeters(registry),
    ...openHealthMeters(registry),
    async expose() {
      return { contentType: registry.contentType, body: await registry.metrics() };
    },
    close() {
      stopWatching();
      registry.clear();
    },
  };
}

type RequestMeters = Pick<
  Metrics,
  "announceModels" | "requestStarted" | "requestEnded" | "observeFirstByte" | "observeOverhead"
>;

function openRequestMeters(registry: Registry): RequestMeters {
  const requests = new Counter({
    name: "turnpike_requests_total",
    help: "Requests answered, by model, HTTP status and outcome.",
    labelNames: ["model", "status", "outcome"] as const,
    registers: [registry],
  });
  const inFlight = new Gauge({
    name: "turnpike_in_flight",
    help: "Requests being answered by this process.",
    registers: [registry],
  });
  const firstByte = new Histogram({
    name: "turnpike_time_to_first_byte_seconds",
    help: "From the end of the request body to the first byte of the answer.",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
    registers: [registry],
  });
  const overhead = new Histogram({
    name: "turnpike_gateway_overhead_seconds",
    help: "Time spent in the gateway itself: a request without its upstream.",
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
    registers: [registry],
  });
  const announced = new Set<string>();
  const children = new Map<string, Counter.Internal>();
  return {
    announceModels(ids) {
      for (const id of ids) announced.add(id);
    },
    requestStarted: () => inFlight.inc(),
    requestEnded({ model, status, outcome }) {
      inFlight.dec();
      const label = model === undefined ? "none" : announced.has(model) ? model : "other";
      const key = `${label} ${status} ${outcome}`;
      let child = children.get(key);
      if (child === undefined) {
        child = requests.labels({ model: label, status: String(status), outcome });
        children.set(key, child);
      }
      child.inc();
    },
    observeFirstByte: (milliseconds) => firstByte.observe(milliseconds / 1000),
    observeOverhead: (milliseconds) => overhead.observe(milliseconds / 1000),
  };
}

function openBatchMeters(registry: Registry): Pick<Metrics, "observeBatch" | "observeBatchWait"> {
  const size = new Histogram({
    name: "turnpike_batch_size",
    help: "Items committed together, by queue.",
    labelNames: ["queue"] as const,
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    registers: [registry],
  });
  const wait = new Histogram({
    name: "turnpike_batch_wait_seconds",
    help: "How long an item waited for its batch to start, by queue.",
    labelNames: ["queue"] as const,
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  });
  const bind = (meter: Histogram<"queue">) =>
    ({
      hold: meter.labels({ queue: "hold" }),
      settle: meter.labels({ queue: "settle" }),
      side: meter.labels({ queue: "side" }),
    }) satisfies Record<CommitQueue, Histogram.Internal<"queue">>;
  const sizes = bind(size);
  const waits = bind(wait);
  return {
    observeBatch: (queue, items) => sizes[queue].observe(items),
    observeBatchWait: (queue, milliseconds) => waits[queue].observe(milliseconds / 1000),
  };
}

type HealthMeters = Pick<
  Metrics,
  "countUnhandledRejection" | "countCspViolation" | "setCheckerViolations"
>;

function openHealthMeters(registry: Registry): HealthMeters {
  const rejections = new Counter({
    name: "turnpike_unhandled_rejections_total",
    help: "Unhandled promise rejections; each one is a bug.",
    registers: [registry],
  });
  const refusedParts = new Counter({
    name: "turnpike_csp_violations_total",
    help: "Browser reports that the console's content security policy blocked something.",
    registers: [registry],
  });
  const violations = new Gauge({
    name: "turnpike_checker_violations",
    help: "Rows that the last check of the books found to be wrong, by check.",
    labelNames: ["check"] as const,
    registers: [registry],
  });
  const checkedAt = new Gauge({
    name: "turnpike_checker_last_run_timestamp_seconds",
    help: "When the books were last checked; 0 before the first check.",
    registers: [registry],
  });
  return {
    countUnhandledRejection: () => rejections.inc(),
    countCspViolation: () => refusedParts.inc(),
    setCheckerViolations(found, at) {
      violations.reset();
      for (const [check, rows] of found) violations.set({ check }, rows);
      checkedAt.set(at.getTime() / 1000);
    },
  };
}
