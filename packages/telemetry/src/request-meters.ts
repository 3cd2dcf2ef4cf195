// The requests of this process, those without a row in Logs, and the batches their money is committed in. The number
// of series is bounded: a model name counts only once the catalog has announced it.
import { Counter, Histogram, type Registry } from "prom-client";
import { createHistogram } from "./create-histogram.ts";
import { createGauge } from "./create-number.ts";
import { createSeries } from "./create-series.ts";

type CommitQueue = "hold" | "charge" | "side";

type EndedRequest = {
  /** As the caller sent it; a name that is not in the catalog is counted as `other`. */
  readonly model: string | undefined;
  readonly status: number;
  /** One of our own terms (`completed`, `refused`, a fault code), never text from a caller. */
  readonly outcome: string;
  /** Of a completed call: from the head of its request to its durable charge. */
  readonly completedMs?: number | undefined;
};

type BatchMeters = {
  observeBatch(queue: CommitQueue, size: number): void;
  /** How long one item waited for its batch to start. */
  observeBatchWait(queue: CommitQueue, milliseconds: number): void;
};

export type RequestMeters = BatchMeters & {
  /** Models that get their own series from now on. */
  announceModels(ids: Iterable<string>): void;
  requestStarted(): void;
  requestEnded(request: EndedRequest): void;
  /** From the head of the request to the first token of a stream, or to the whole answer. */
  observeFirstByte(milliseconds: number): void;
  /** The part of that time that was not spent waiting for upstreams; reading the body is included. */
  observeOverhead(milliseconds: number): void;
  /** A call without money that has no row in Logs, because its account had too many of them. */
  freeCallNotLogged(): void;
};

export function createRequestMeters(registry: Registry): RequestMeters {
  const countRequest = createSeries(registry, {
    name: "turnpike_requests_total",
    help: "Requests answered, by model, HTTP status and outcome.",
    labelNames: ["model", "status", "outcome"],
  });
  const addInFlight = createGauge(registry, {
    name: "turnpike_in_flight",
    help: "Requests being answered by this process.",
  });
  const observeFirstByte = createHistogram(registry, {
    name: "turnpike_time_to_first_byte_seconds",
    help: "From the head of a request, before its body is read, to the first token of a stream or to the whole answer.",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
  });
  const observeOverhead = createHistogram(registry, {
    name: "turnpike_gateway_overhead_seconds",
    help: "The part of the time to the first byte that is not spent waiting for upstreams; it includes reading the body of the request.",
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
  });
  const observeDuration = createHistogram(registry, {
    name: "turnpike_request_duration_seconds",
    help: "From the head of a request, before its body is read, to the durable charge that ends its answer; of completed calls.",
    labelNames: ["model"],
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600],
  });
  const announced = new Set<string>();
  return {
    ...createBatchMeters(registry),
    ...createFreeCallMeter(registry),
    announceModels(ids) {
      for (const id of ids) announced.add(id);
    },
    requestStarted: () => addInFlight(1),
    requestEnded({ model, status, outcome, completedMs }) {
      addInFlight(-1);
      const label = model === undefined ? "none" : announced.has(model) ? model : "other";
      countRequest(1, label, String(status), outcome);
      if (completedMs !== undefined) observeDuration(completedMs / 1000, label);
    },
    observeFirstByte: (milliseconds) => observeFirstByte(milliseconds / 1000),
    observeOverhead: (milliseconds) => observeOverhead(milliseconds / 1000),
  };
}

function createFreeCallMeter(registry: Registry): Pick<RequestMeters, "freeCallNotLogged"> {
  const left = new Counter({
    name: "turnpike_free_calls_not_logged_total",
    help: "Refused and cached calls without a row in Logs: their account had too many in the last hour.",
    registers: [registry],
  });
  return { freeCallNotLogged: () => left.inc() };
}

function createBatchMeters(registry: Registry): BatchMeters {
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
      // Dashboards know the queue by this label.
      charge: meter.labels({ queue: "settle" }),
      side: meter.labels({ queue: "side" }),
    }) satisfies Record<CommitQueue, Histogram.Internal<"queue">>;
  const sizes = bind(size);
  const waits = bind(wait);
  return {
    observeBatch: (queue, items) => sizes[queue].observe(items),
    observeBatchWait: (queue, milliseconds) => waits[queue].observe(milliseconds / 1000),
  };
}
