// Writes docs/metrics.md from the metrics a process registers: `bun packages/telemetry/src/metrics-doc.fixture.ts`. A
// test compares the file with what this writes.
import { join } from "node:path";
import { createMetrics, type MetricDescription } from "./metrics.ts";

export const metricsFile = join(import.meta.dirname, "../../../docs/metrics.md");

/** What the values of each label are, which says why they are few. */
const labels: Readonly<Record<string, string>> = {
  bound: "the bound that was reached: `account`, `process`, `memory`",
  check: "a check of the books that found something",
  kind: "`prompt`, `completion`, and the parts of them that are `cached`, `cache_write`, `reasoning`",
  model:
    "the id of a model of the catalog; `other` for names that are not in it, `none` for requests that were refused before their model was read",
  outcome:
    "how it ended: `completed`, `client_closed`, `upstream_failed`, `ended_by_gateway`, `cache_hit`, `repeated`, `ok` of an attempt, or the code of an error",
  pool: "a pool of connections, by the application name that PostgreSQL shows",
  provider: "the id of a provider of the catalog",
  queue: "a queue; each metric says which",
  reason: "why; each metric with it says which",
  result: "each metric with it says which",
  route: "the provider's own name of the model",
  state: "`idle` or `busy`",
  status: "the HTTP status",
  task: "a periodic job, by its name (`job`) in the log",
  usage: "what the bill is based on: `upstream`, `counted`, `estimated`, `none`, `lost`",
  version: "of the catalog; the one served is the only series",
};

const units = [
  ["_timestamp_seconds", "seconds since 1970"],
  ["_seconds", "seconds"],
  ["_nanos", "nano-dollars"],
  ["_bytes", "bytes"],
  ["_per_second", "per second"],
] as const;

function unitOf(name: string): string {
  const base = name.replace(/_total$/, "");
  return units.find(([suffix]) => base.endsWith(suffix))?.[1] ?? "";
}

function rowOf({ name, type, help, labels: own }: MetricDescription): string {
  const named = own.map((label) => `\`${label}\``).join(", ");
  return `| \`${name}\` | ${type} | ${unitOf(name)} | ${named} | ${help} |`;
}

const head = "| metric | type | unit | labels | meaning |\n|---|---|---|---|---|";

export function writeMetrics(): string {
  const metrics = createMetrics();
  const described = metrics.describe().toSorted((a, b) => (a.name < b.name ? -1 : 1));
  metrics.close();
  const own = described.filter(({ name }) => name.startsWith("turnpike_"));
  const others = described.filter(({ name }) => !name.startsWith("turnpike_"));
  const used = [...new Set(own.flatMap((metric) => metric.labels))].sort();
  return `# Metrics

What \`/metrics\` exports, for Prometheus. Written by \`bun packages/telemetry/src/metrics-doc.fixture.ts\` from the
metrics that a process registers. \`docs/operations.md\` says how to scrape them; \`deploy/observability\` has
dashboards and alert rules, and \`docs/runbooks.md\` what to do about each alert.

Every process counts what it did itself, from 0 at its start: sum over instances and workers. Gauges about all
instances, such as \`turnpike_queue_waiting\` and \`turnpike_instances\`, are the same in each: take their maximum.

${head}
${own.map(rowOf).join("\n")}

## Labels

No caller can add a series: the values of labels come from the catalog or from the code. If several processes
share a port, every series has the label \`worker\` as well.

| label | values |
|---|---|
${used.map((label) => `| \`${label}\` | ${labels[label] ?? "undocumented"} |`).join("\n")}

## Of the process

${head}
${others.map(rowOf).join("\n")}
`;
}

if (import.meta.main) await Bun.write(metricsFile, writeMetrics());
