// docs/metrics.md says what a process exports.
import { expect, test } from "bun:test";
import { metricsFile, writeMetrics } from "./metrics-doc.fixture.ts";

/** The formatter pads the cells of tables. */
const withoutPadding = (text: string) =>
  text
    .replaceAll(/ +/g, " ")
    .replaceAll(/-{3,}/g, "---")
    .replaceAll("| ---", "|---")
    .replaceAll("--- |", "---|");

test("docs/metrics.md is what `bun packages/telemetry/src/metrics-doc.fixture.ts` writes", async () => {
  const written = withoutPadding(await Bun.file(metricsFile).text());
  expect(written).toBe(withoutPadding(writeMetrics()));
});

test("every label of a metric is explained", () => {
  expect(writeMetrics()).not.toContain("undocumented");
});
