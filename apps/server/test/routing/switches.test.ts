// What an operator switches off is not called by any process: a route, a provider, a model, or everything. Processes
// follow by notification, so each is given less time than the ten seconds between two polls.
import { afterAll, afterEach, expect, test } from "bun:test";
import {
  everything,
  type SwitchOff,
  type SwitchTarget,
  switchOff,
  switchOn,
} from "@turnpike/catalog";
import { spawnServer } from "@turnpike/testing";
import { runAdmin } from "../../src/admin/run-admin.ts";
import { readAdminConfig } from "../../src/config.ts";
import {
  at,
  catchError,
  chatBody,
  expectCleanBooks,
  expectFault,
  getPath,
  openAccount,
  openTestSite,
  postChat,
  readJson,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import { calledSince } from "./route-catalog.ts";

const site = await openTestSite({ catalog: twoProviders });
const db = site.owner.db;
const who = { reason: "incident 7", by: "ada@example.com" };
const route = { ...everything, provider: "first", upstreamModel: "m" };
await switchOff(db, { ...everything, ...who, model: "test/late" });
const processes = await Promise.all([spawnServer(site.environment), spawnServer(site.environment)]);
const { key } = await openAccount(site);
afterEach(() => expectCleanBooks(site));
afterAll(async () => {
  await Promise.all(processes.map((process) => process.kill("SIGTERM")));
  await site.close();
});

/** `test/both` is called at `first`, then at `second`; the others only at `first`. */
function twoProviders(baseUrl: string): string {
  const facts = "contextTokens: 10000, maxOutputTokens: 1000, capabilities: []";
  const prices = 'prices: { input: "0.10", output: "0.40" }';
  return `
providers:
  - { id: first, baseUrl: "${baseUrl}", apiKey: k-first }
  - { id: second, baseUrl: "${baseUrl}", apiKey: k-second }
models:
  - { id: test/both, ${facts}, ${prices}, routes: [{ provider: first, model: m }, { provider: second, model: m }] }
  - { id: test/one, ${facts}, ${prices}, routes: [{ provider: first, model: n }] }
  - { id: test/one-2026-01-01, ${facts}, ${prices}, routes: [{ provider: first, model: o }] }
  - { id: test/late, ${facts}, ${prices}, routes: [{ provider: first, model: p }] }
`;
}

type Process = (typeof processes)[number];

const ask = (process: Process, model: string, fields = {}) =>
  postChat(process, key, chatBody({ deltas: 1 }, { model, ...fields }));

/** The provider that answers, or the code of the refusal. */
async function answererOf(process: Process, model: string, fields = {}): Promise<string> {
  const from = site.upstream.requests.length;
  const response = await ask(process, model, fields);
  const body = await readJson(response);
  return response.status === 200
    ? calledSince(site.upstream, from).join()
    : String(at(body, "error.code"));
}

/** Well below the time between polls. */
const noticeMs = 5_000;

/** Once both processes answer `model` so. */
async function expectAnswerer(model: string, wanted: string): Promise<void> {
  for (const process of processes) {
    const isSo = async () => (await answererOf(process, model)) === wanted;
    await eventually(`${model} to be answered by ${wanted}`, isSo, noticeMs);
  }
}

async function during(off: SwitchTarget & Partial<SwitchOff>, work: () => Promise<void>) {
  await switchOff(db, { ...who, ...off });
  await work();
  await switchOn(db, off);
}

test("a process that starts leaves out what is off", async () => {
  for (const process of processes) {
    expect(await answererOf(process, "test/late")).toBe("model_unavailable");
  }
});

test("ADM-2: a route that is off is skipped, and is called again once it is on", async () => {
  await expectAnswerer("test/both", "first");
  await during(route, async () => {
    await expectAnswerer("test/both", "second");
    // Another route of the provider.
    await expectAnswerer("test/one", "first");
  });
  await expectAnswerer("test/both", "first");
});

test("a provider that is off takes its models with it", async () => {
  await during({ ...everything, provider: "first" }, async () => {
    await expectAnswerer("test/both", "second");
    await expectAnswerer("test/one", "model_unavailable");
  });
  await expectAnswerer("test/one", "first");
});

test("a model that is off is refused with what the operator says, unlisted, and never confused with another", async () => {
  const message = "Use test/both until Friday.";
  await during({ ...everything, model: "test/one", message }, async () => {
    await expectAnswerer("test/one", "model_unavailable");
    const [process] = processes;
    const error = await expectFault(await ask(process, "test/one"), {
      status: 503,
      type: "server_error",
      code: "model_unavailable",
    });
    expect(error.message).toBe(message);
    expect(JSON.stringify(await readJson(await getPath(process, key, "/models")))).not.toContain(
      '"test/one"',
    );
    // Without its vendor, and as one of several.
    expect(await answererOf(process, "one")).not.toBe("first");
    expect(await answererOf(process, "test/one", { models: ["test/both"] })).toBe("first");
  });
});

test("during maintenance calls are asked to come back, and what was told is what they read", async () => {
  const message = "Back at 14:00 UTC.";
  const off = { ...everything, message, retryAfterSeconds: 45 };
  await during(off, async () => {
    await expectAnswerer("test/both", "maintenance");
    const [process] = processes;
    const refused = await ask(process, "test/both");
    expect(refused.headers.get("retry-after")).toBe("45");
    const expected = { status: 503, type: "server_error", code: "maintenance" };
    expect((await expectFault(refused, expected)).message).toBe(message);
  });
  await expectAnswerer("test/both", "first");
});

test("the command line switches with a reason, says what it concerns, and leaves a record", async () => {
  const admin = async (args: string) => {
    const readConfig = () => readAdminConfig(site.environment);
    const { exitCode, stdout } = await runAdmin([...args.split(" "), "--json"], readConfig);
    expect(exitCode).toBe(0);
    return JSON.parse(stdout);
  };
  const off = await admin("route off --provider first --upstream-model m --reason slow");
  expect(off).toMatchObject({ what: "first m", reason: "slow", concerns: ["test/both"] });
  await expectAnswerer("test/both", "second");
  const { models, switchedOff } = await admin("model list");
  expect(switchedOff.map(({ what }: { what: string }) => what)).toEqual(["first m", "test/late"]);
  const both = models.find(({ id }: { id: string }) => id === "test/both");
  expect(both).toMatchObject({ isOffered: true, routes: [{ isOff: true }, { isOff: false }] });
  await admin("route on --provider first --upstream-model m --reason fixed");
  await expectAnswerer("test/both", "first");
  const rows = await site.owner.sql<{ action: string; object: string; reason: string }[]>`
    select action, object, reason from operator_log order by id`;
  expect([...rows]).toEqual([
    { action: "switch.off", object: "first m", reason: "slow" },
    { action: "switch.on", object: "first m", reason: "fixed" },
  ]);
});

test("what is not off cannot be switched on", async () => {
  expect(await catchError(switchOn(db, route))).toMatchObject({ code: "not_found" });
});
