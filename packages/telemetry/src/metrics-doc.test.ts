// docs/metrics.md says what a process exports.
import { expect, test } from "bun:test";
import { createMetrics } from "./metrics.ts";
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

test("what is described is what a scrape returns", async () => {
  const metrics = createMetrics();
  const { body } = await metrics.expose();
  const scraped = [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(
    ([, name, type]) => `${name} ${type}`,
  );
  const described = metrics.describe().map(({ name, type }) => `${name} ${type}`);
  metrics.close();
  expect(scraped.toSorted()).toEqual(described.toSorted());
});
