// The exposition has every promised series, and callers cannot add series.

import { afterEach, describe, expect, test } from "bun:test";
import { toNanos } from "@turnpike/terms";
import { createMetrics, type Metrics } from "./metrics.ts";

const opened: Metrics[] = [];
function open(): Metrics {
  const metrics = createMetrics();
  opened.push(metrics);
  return metrics;
}
afterEach(() => {
  for (const metrics of opened.splice(0)) metrics.close();
});

async function linesOf(metrics: Metrics): Promise<string[]> {
  return (await metrics.expose()).body.split("\n");
}

describe("createMetrics", () => {
  test("requests are counted by model, status and outcome", async () => {
    const metrics = open();
    metrics.announceModels(["openai/gpt-4o-mini"]);
    for (let n = 0; n < 3; n += 1) {
      metrics.requestStarted();
      metrics.requestEnded({ model: "openai/gpt-4o-mini", status: 200, outcome: "completed" });
    }
    metrics.requestStarted();
    // A scrape changes nothing.
    await linesOf(metrics);
    const lines = await linesOf(metrics);
    expect(lines).toContain(
      'turnpike_requests_total{model="openai/gpt-4o-mini",status="200",outcome="completed"} 3',
    );
    expect(lines).toContain("turnpike_in_flight 1");
  });

  test("a thousand invented model names make one series", async () => {
    const metrics = open();
    for (let n = 0; n < 1000; n += 1) {
      metrics.requestEnded({ model: `invented-${n}"\n`, status: 404, outcome: "model_not_found" });
    }
    metrics.requestEnded({ model: undefined, status: 401, outcome: "invalid_api_key" });
    const series = (await linesOf(metrics)).filter((line) => line.startsWith("turnpike_requests"));
    expect(series).toEqual([
      'turnpike_requests_total{model="other",status="404",outcome="model_not_found"} 1000',
      'turnpike_requests_total{model="none",status="401",outcome="invalid_api_key"} 1',
    ]);
  });

  test("held money covers holds that have not ended; settled and shortfall amounts add up", async () => {
    const metrics = open();
    metrics.holdPlaced(toNanos(500n));
    metrics.holdPlaced(toNanos(300n));
    metrics.holdEnded(toNanos(500n));
    metrics.countSettled(toNanos(450n));
    metrics.countShortfall(toNanos(7n));
    const lines = await linesOf(metrics);
    expect(lines).toContain("turnpike_held_nanos 300");
    expect(lines).toContain("turnpike_holds_placed_nanos_total 800");
    expect(lines).toContain("turnpike_settled_nanos_total 450");
    expect(lines).toContain("turnpike_shortfall_nanos_total 7");
  });

  test("durations are given in milliseconds and exposed in seconds", async () => {
    const metrics = open();
    metrics.observeFirstByte(40);
    metrics.observeOverhead(2);
    metrics.observeBatch("hold", 3);
    metrics.observeBatchWait("charge", 1);
    const lines = await linesOf(metrics);
    expect(lines).toContain("turnpike_time_to_first_byte_seconds_sum 0.04");
    expect(lines).toContain('turnpike_gateway_overhead_seconds_bucket{le="0.0025"} 1');
    expect(lines).toContain('turnpike_batch_size_bucket{le="4",queue="hold"} 1');
    expect(lines).toContain('turnpike_batch_wait_seconds_count{queue="settle"} 1');
  });

  test("a check of the books replaces the previous one", async () => {
    const metrics = open();
    metrics.setCheckerViolations(new Map([["entries sum to zero", 2]]), new Date());
    metrics.setCheckerViolations(new Map([["settled within held", 1]]), new Date());
    metrics.countUnhandledRejection();
    const lines = await linesOf(metrics);
    expect(lines).toContain('turnpike_checker_violations{check="settled within held"} 1');
    expect(lines.join("\n")).not.toContain("entries sum to zero");
    expect(lines).toContain("turnpike_unhandled_rejections_total 1");
  });

  test("process metrics and event-loop lag are exposed, and two registries are independent", async () => {
    const names = (await linesOf(open())).join("\n");
    expect((await linesOf(open())).join("\n")).toContain("turnpike_event_loop_lag_seconds");
    expect(names).toContain("turnpike_event_loop_lag_seconds");
    expect(names).toContain("process_resident_memory_bytes");
  });
});
