// What operators and their tools query: whether it is alive, whether it may get traffic, what it has
// counted.
import { afterAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  billCheap,
  chatBody,
  expectFault,
  openAccount,
  postChat,
  readEvents,
  readJson,
  startTestServer,
  testModels,
  waitForSettled,
} from "../harness/index.ts";

const server = await startTestServer();
const account = await openAccount(server);
afterAll(() => server.close());

const metricsToken = "a-token-of-sixteen-and-more";
const nextToken = "the-next-token-of-sixteen";
const guarded = await startTestServer({
  environment: { METRICS_TOKEN: `${metricsToken},${nextToken}` },
});
afterAll(() => guarded.close());

test.each(["/livez", "/readyz"])("%s says ok without a key, and is not cached", async (path) => {
  const response = await fetch(`${server.url}${path}`);
  expect(response.status).toBe(200);
  expect((await response.text()).split("\n")[0]).toBe("ok");
  expect(response.headers.get("cache-control")).toBe("no-store");
});

test("/livez names the version of the build", async () => {
  const { version } = await Bun.file(join(import.meta.dir, "../../../../package.json")).json();
  expect(await (await fetch(`${server.url}/livez`)).text()).toBe(`ok\nversion ${version}\n`);
});

/** The value of a series; undefined without one. */
async function readMetric(name: string, labels: Record<string, string> = {}) {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const line = text.split("\n").find((candidate) => {
    const [series = ""] = candidate.split(" ");
    if (series !== name && !series.startsWith(`${name}{`)) return false;
    return Object.entries(labels).every(([label, value]) => series.includes(`${label}="${value}"`));
  });
  return line === undefined ? undefined : Number(line.split(" ").at(-1));
}

test("metrics count requests, money, batches and times, and nothing stays in flight", async () => {
  const whole = await readJson(await postChat(server, account.key, chatBody({ deltas: 3 })));
  const fields = { stream: true, stream_options: { include_usage: true } };
  const stream = await readEvents(
    await postChat(server, account.key, chatBody({ deltas: 2 }, fields)),
  );
  await (await postChat(server, account.key, chatBody({}, { model: "no/such" }))).text();
  await (await postChat(server, undefined, chatBody({}))).text();
  await (await postChat(server, account.key, chatBody({ status: 500 }))).text();
  expect(await waitForSettled(server)).toBe(0);

  const requests = (labels: Record<string, string>) =>
    readMetric("turnpike_requests_total", labels);
  const model = testModels.cheap;
  expect(await requests({ model, status: "200", outcome: "completed" })).toBe(2);
  expect(await requests({ model: "other", status: "404", outcome: "model_not_found" })).toBe(1);
  expect(await requests({ model: "none", status: "401", outcome: "missing_api_key" })).toBe(1);
  expect(await requests({ model, status: "502" })).toBe(1);
  expect(await readMetric("turnpike_in_flight")).toBe(0);
  expect(await readMetric("turnpike_held_nanos")).toBe(0);
  const costNanos = billCheap(whole.usage) + billCheap(stream.events.at(-1)?.usage);
  expect(await readMetric("turnpike_settled_nanos_total")).toBe(Number(costNanos));
  expect(await readMetric("turnpike_shortfall_nanos_total")).toBe(0);
  expect(await readMetric("turnpike_holds_placed_nanos_total")).toBeGreaterThan(0);
  expect(await readMetric("turnpike_time_to_first_byte_seconds_count")).toBe(2);
  expect(await readMetric("turnpike_gateway_overhead_seconds_count")).toBe(2);
  for (const queue of ["hold", "settle"]) {
    expect(await readMetric("turnpike_batch_size_count", { queue })).toBeGreaterThanOrEqual(1);
    expect(await readMetric("turnpike_batch_wait_seconds_count", { queue })).toBeGreaterThanOrEqual(
      1,
    );
  }
});

test("the catalog's version and number of models are in /readyz and in the metrics", async () => {
  const text = readFileSync(server.environment.CATALOG_FILE ?? "");
  const version = createHash("sha256").update(text).digest("hex").slice(0, 12);
  const models = server.services.catalog.current.models.size;
  const lines = (await (await fetch(`${server.url}/readyz`)).text()).split("\n");
  expect(lines[1]).toBe(`catalog ${version}, ${models} models`);
  expect(await readMetric("turnpike_catalog_models", { version })).toBe(models);
});

test("with a token set, what /readyz says about the instance is for its holders", async () => {
  const readyz = `${guarded.url}/readyz`;
  expect(await (await fetch(readyz)).text()).toBe("ok\n");
  const wrong = await fetch(readyz, { headers: { authorization: "Bearer not-the-token-at-all" } });
  expect(await wrong.text()).toBe("ok\n");
  const right = await fetch(readyz, { headers: { authorization: `Bearer ${metricsToken}` } });
  expect(await right.text()).toMatch(/^ok\ncatalog /);
});

test("without a token only this machine may read the metrics, not clients behind its proxy", async () => {
  const headers = { "x-forwarded-for": "203.0.113.7" };
  const response = await fetch(`${server.url}/metrics`, { headers });
  await expectFault(response, { status: 404, code: "unknown_url" });
});

test("with a token set, the metrics require it, even on loopback", async () => {
  const ask = (authorization?: string) =>
    fetch(`${guarded.url}/metrics`, { headers: authorization ? { authorization } : {} });
  for (const wrong of [
    undefined,
    "Bearer wrong",
    metricsToken,
    `Bearer ${metricsToken}x`,
    `Bearer ${metricsToken},${nextToken}`,
  ]) {
    await expectFault(await ask(wrong), { status: 404, code: "unknown_url" });
  }
  // Two, so that Prometheus can be given another without a scrape that fails.
  expect((await ask(`Bearer ${nextToken}`)).status).toBe(200);
  const response = await ask(`Bearer ${metricsToken}`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toStartWith("text/plain");
  expect(await response.text()).toContain("turnpike_requests_total");
});
