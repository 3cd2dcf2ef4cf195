// An operator sees which provider fails and why: in the log, and in the metrics by provider and route.
// Callers' mistakes are counted and not logged.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { type SpawnedServer, spawnServer } from "@turnpike/testing";
import {
  chatBody,
  expectCleanBooks,
  openAccount,
  openTestSite,
  postChat,
  type TestSite,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";

let site: TestSite;
let server: SpawnedServer;
let key: string;
beforeAll(async () => {
  site = await openTestSite();
  server = await spawnServer(site.environment);
  key = (await openAccount(site)).key;
});
afterEach(() => expectCleanBooks(site));
afterAll(async () => {
  await server?.kill();
  await site.close();
});

async function readAttempts(): Promise<Map<string, number>> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const lines = text.matchAll(
    /^turnpike_upstream_attempts_total\{provider="([^"]+)",route="([^"]+)",outcome="([^"]+)"\} (\d+)$/gm,
  );
  return new Map([...lines].map(([, , , outcome = "", count]) => [outcome, Number(count)]));
}

const failuresLogged = () =>
  server
    .output()
    .split("\n")
    .filter((line) => line.includes('"msg":"provider failed"'))
    .map((line): Record<string, unknown> => JSON.parse(line));

test("failures are counted by outcome and logged with their status, without the provider's message", async () => {
  await (await postChat(server, key, chatBody({ deltas: 1 }))).text();
  await (await postChat(server, key, chatBody({ status: 500, error: "out of capacity" }))).text();
  await (await postChat(server, key, chatBody({ status: 429 }))).text();
  const cut = chatBody({ deltas: 3, cutAfterDeltas: 1 }, { stream: true });
  await (await postChat(server, key, cut)).text();
  await (await postChat(server, key, chatBody({ status: 400, error: "bad field" }))).text();
  const attempts = await readAttempts();
  expect(attempts.get("ok")).toBe(1);
  expect(attempts.get("bad_gateway")).toBe(2);
  expect(attempts.get("upstream_rate_limited")).toBe(1);
  expect(attempts.get("upstream_rejected")).toBe(1);
  // The output of a process arrives a little later than its answers.
  const failures = await eventually("three lines in the log", async () => {
    const lines = failuresLogged();
    return lines.length >= 3 && lines;
  });
  expect(failures.map(({ code }) => code)).toEqual([
    "bad_gateway",
    "upstream_rate_limited",
    "bad_gateway",
  ]);
  const [first] = failures;
  expect(first?.upstreamStatus).toBe(500);
  expect(first).toMatchObject({ messageChars: "out of capacity".length });
  expect(first?.messageHash).toMatch(/^[0-9a-f]{16}$/);
  expect(server.output()).not.toContain("out of capacity");
  for (const line of failures) {
    expect(line.provider).toBeString();
    expect(line.route).toBeString();
    expect(line.generationId).toBeString();
  }
});

test("a client that disconnects is not a failure of the provider", async () => {
  const before = failuresLogged().length;
  const leaving = new AbortController();
  const body = chatBody({ tag: "leaves", headGate: true }, { stream: true });
  const running = postChat(server, key, body, { signal: leaving.signal }).catch(() => undefined);
  await site.upstream.waitFor(({ tag }) => tag === "leaves");
  leaving.abort();
  await running;
  site.upstream.open("leaves");
  await expectCleanBooks(site);
  expect(failuresLogged()).toHaveLength(before);
});

test("a start without a model to offer logs an error with the reasons", async () => {
  const { SANDBOX_UPSTREAM_URL: _, ...environment } = site.environment;
  const catalog = { ...environment, CATALOG_FILE: "catalog.yaml" };
  const bare = await spawnServer(catalog);
  try {
    const line = bare
      .output()
      .split("\n")
      .find((one) => one.includes('"msg":"no model to offer: every call will be refused"'));
    const { level, reasons } = JSON.parse(line ?? "{}");
    expect(level).toBe("error");
    expect(reasons).toContain("provider openai is not set up: OPENAI_API_KEY is not set");
  } finally {
    await bare.kill();
  }
});
