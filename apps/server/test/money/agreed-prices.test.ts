// Prices that an account agreed with the operator: what is held, charged, shown and reported follows them from the
// next call on, in every protocol. The expected amounts are calculated here, from the rates written below.
import { afterAll, afterEach, expect, test } from "bun:test";
import { runAdmin } from "../../src/admin/run-admin.ts";
import { readAdminConfig } from "../../src/config.ts";
import {
  at,
  expectCleanBooks,
  getPath,
  type JsonObject,
  openAccount,
  readJson,
  scripted,
  startTestServer,
  type TestAccount,
} from "../harness/index.ts";
import { askBilled } from "./ask-billed.ts";
import { askChat } from "./ask-chat.ts";
import { scriptedBody } from "./leave-in-the-middle.ts";
import { nanosOf } from "./odd-prices.ts";
import { awaitRequest, eventually } from "./read-requests.ts";

const listed = { input: 333_333_333n, output: 1_999_999_999n };
const flex = { input: 200_000_001n, output: 1_000_000_001n };
const allow = "--allows-below-cost";
const prices = 'input: "0.333333333", output: "1.999999999"';
const shape = `contextTokens: 32768
    maxOutputTokens: 4096
    prices: { ${prices} }`;
const server = await startTestServer({
  catalog: (baseUrl) => `
providers:
  - { id: scripted, baseUrl: "${baseUrl}" }
models:
  - id: agreed/one
    routes: [{ provider: scripted, model: up-one, cost: { input: "0.3", output: "1.9" } }]
    ${shape}
  - id: agreed/two
    routes: [{ provider: scripted, model: up-two }]
    ${shape}
  - id: agreed/tiers
    contextTokens: 32768
    maxOutputTokens: 4096
    routes: [{ provider: scripted, model: up-tiers, cost: { input: "0.2", output: "1", tiers: { flex: { input: "0.19", output: "0.95" } } } }]
    prices: { ${prices}, tiers: { flex: { input: "0.200000001", output: "1.000000001" } } }
  - id: agreed/long
    contextTokens: 32768
    maxOutputTokens: 4096
    routes: [{ provider: scripted, model: up-long, cost: { input: "0.3", output: "1.8", longPrompts: [{ above: 1000, input: "0.39", output: "1.9" }] } }]
    prices: { ${prices}, longPrompts: [{ above: 1000, input: "0.4", output: "2" }] }
  - id: agreed/vectors
    operation: embeddings
    dimensions: 8
    contextTokens: 8192
    routes: [{ provider: scripted, model: up-vectors }]
    prices: { input: "0.333333333" }
  - id: other/three
    routes: [{ provider: scripted, model: up-three }]
    ${shape}
`,
});
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

async function setPrices(account: Pick<TestAccount, "id">, prices: string, ...more: string[]) {
  const args = ["account", "set-prices", "--account", account.id];
  const options = ["--prices", prices, "--reason", "contract 12", "--json", ...more];
  const config = () => readAdminConfig(server.environment);
  return runAdmin([...args, ...options], config);
}

const scale = (rate: bigint, basisPoints: bigint) =>
  (rate * (10_000n + basisPoints) + 5_000n) / 10_000n;

function priceOf(
  tokens: { promptTokens: number; completionTokens: number },
  basisPoints = 0n,
  rates = listed,
) {
  const input = BigInt(tokens.promptTokens) * scale(rates.input, basisPoints);
  const output = BigInt(tokens.completionTokens) * scale(rates.output, basisPoints);
  return (input + output + 999_999n) / 1_000_000n;
}

const call = (key: string, model: string, fields: JsonObject = {}) =>
  askBilled(server, { key, model, script: { deltas: 9 }, fields });

/** Instances learn of a change by notification: waits until a call is billed so. */
async function awaitPrice(key: string, model: string, basisPoints: bigint) {
  return eventually(`a price of ${basisPoints}`, async () => {
    const { row, received } = await call(key, model);
    return row.chargedNanos === priceOf(row, basisPoints) && { row, received };
  });
}

test("the most specific term decides, from the next calls on, and list prices return with `none`", async () => {
  const account = await openAccount(server);
  const list = await call(account.key, "agreed/one");
  expect(list.row.chargedNanos).toBe(priceOf(list.row));
  const set = await setPrices(account, "agreed/*=-12.5%, agreed/two=+40%", allow);
  expect(set.exitCode).toBe(0);
  await awaitPrice(account.key, "agreed/one", -1_250n);
  const dearer = await call(account.key, "agreed/two");
  expect(dearer.row.chargedNanos).toBe(priceOf(dearer.row, 4_000n));
  expect(dearer.row.shortfallNanos).toBe(0n);
  expect(dearer.row.heldNanos).toBeGreaterThanOrEqual(dearer.row.chargedNanos);
  const other = await call(account.key, "other/three");
  expect(other.row.chargedNanos).toBe(priceOf(other.row));
  await setPrices(account, "none");
  await awaitPrice(account.key, "agreed/one", 0n);
});

test("answers, generations and cost lines show the agreed price, whole and streamed", async () => {
  const account = await openAccount(server);
  await setPrices(account, "*=-30%", allow);
  await awaitPrice(account.key, "agreed/one", -3_000n);
  for (const stream of [false, true]) {
    const options = stream ? { stream, stream_options: { include_usage: true } } : {};
    const { row, received } = await call(account.key, "agreed/two", options);
    const cost = priceOf(row, -3_000n);
    expect(nanosOf(received.usage?.cost)).toBe(cost);
    const path = `/generation?id=${row.id}`;
    const generation = await readJson(await getPath(server, account.key, path));
    expect(nanosOf(at(generation, "data.cost_usd"))).toBe(cost);
    expect(at(generation, "data.price_markup_percent")).toBe(-30);
    const config = () => readAdminConfig(server.environment);
    const explained = await runAdmin(["request", "explain", "--id", row.id, "--json"], config);
    const lines: unknown = at(JSON.parse(explained.stdout), "lines");
    expect(lines).toContainEqual(
      expect.objectContaining({ label: "Output", usdPerMillion: "1.399999999" }),
    );
  }
});

test("an account that pays nothing needs no balance, and one that pays more cannot spend beyond it", async () => {
  const free = await openAccount(server, { usd: "0" });
  await setPrices(free, "*=-100%", allow);
  await eventually("a free call", async () => {
    const { status } = await fetchChat(free.key, "agreed/one");
    return status === 200;
  });
  const dear = await openAccount(server, { usd: "0.0001" });
  await setPrices(dear, "*=+1000%");
  await eventually(
    "a refusal",
    async () => (await fetchChat(dear.key, "agreed/one")).status === 402,
  );
});

test("a term ends with its day, and a later one is not lost with it", async () => {
  const account = await openAccount(server);
  await setPrices(account, "*=-50% until 2026-01-01, agreed/*=-10% until 2999-01-01", allow);
  await awaitPrice(account.key, "agreed/one", -1_000n);
  const other = await call(account.key, "other/three");
  expect(other.row.chargedNanos).toBe(priceOf(other.row));
});

test("a price below cost, a free one and an unknown name are refused until they are allowed or corrected", async () => {
  const account = await openAccount(server);
  const terms = async () => {
    const [row] = await server.owner.sql<{ terms: unknown }[]>`
      select price_terms as terms from accounts where id = ${account.id}`;
    return row?.terms;
  };
  const refused = await setPrices(account, "agreed/*=-20%");
  expect(refused.exitCode).not.toBe(0);
  expect(refused.stderr).toContain(
    "Sold below cost: agreed/one at scripted, agreed/tiers at scripted, agreed/long at scripted.",
  );
  // The standard rates of this one cover its cost; those of its tier and of its long prompts do not.
  expect((await setPrices(account, "agreed/tiers=-9%")).stderr).toContain(
    "agreed/tiers at scripted",
  );
  expect((await setPrices(account, "agreed/long=-9%")).stderr).toContain("agreed/long at scripted");
  expect((await setPrices(account, "other/three=-100%")).stderr).toContain("Free: other/three.");
  expect((await setPrices(account, "agreed/on=-1%")).stderr).toContain("called agreed/on");
  expect((await setPrices(account, "agree*=-1%, else/*=-1%")).stderr).toContain("called else/*");
  for (const wrong of ["agreed/*", "a=-101%", "a=5", "a=-1%,a=-2%", "a=-1% until soon", ""]) {
    expect((await setPrices(account, wrong)).stderr).toContain("anthropic/*=-10%");
  }
  expect(await terms()).toBeNull();

  const set = await setPrices(account, "agreed/one=-20%", allow);
  expect(JSON.parse(set.stdout)).toMatchObject({
    prices: ["agreed/one: -20%"],
    belowCost: ["agreed/one at scripted"],
  });
  const [audit] = await server.owner.sql<{ action: string; changes: JsonObject }[]>`
    select action, changes from audit_log where account_id = ${account.id}
     order by id desc limit 1`;
  expect(audit).toMatchObject({
    action: "account.set_prices",
    changes: { prices: [null, "agreed/one: -20%"], reason: [null, "contract 12"] },
  });
});

test("every protocol, an aborted stream and a service tier are billed at the agreed price", async () => {
  const account = await openAccount(server);
  await setPrices(account, "*=-20%", allow);
  await awaitPrice(account.key, "agreed/two", -2_000n);
  const input = scripted({ deltas: 5 }).content;
  const max = { max_tokens: 60 };
  const bodies = {
    "/responses": { model: "agreed/two", input, max_output_tokens: 60 },
    "/messages": { model: "agreed/two", messages: [{ role: "user", content: input }], ...max },
    "/embeddings": { model: "agreed/vectors", input: "Hello!" },
  };
  for (const [path, body] of Object.entries(bodies)) {
    const row = await billed(account.key, path, body);
    const rate = path === "/embeddings" ? { ...row, completionTokens: 0 } : row;
    expect([path, row.chargedNanos]).toEqual([path, priceOf(rate, -2_000n)]);
  }
  const tiered = await call(account.key, "agreed/tiers", { service_tier: "flex" });
  expect(tiered.row.chargedNanos).toBe(priceOf(tiered.row, -2_000n, flex));

  const name = "agreed-left";
  const leaving = { name, model: "agreed/two", script: { deltas: 30, gate: true } };
  const body = scriptedBody({ ...leaving, fields: { stream: true, max_tokens: 60 } });
  await askChat(server, { name, key: account.key, body, leave: { afterBytes: 1 } });
  // Cut at once: its bill is known without its end.
  const left = await awaitRequest(server, name);
  expect(left.outcome).toBe("client_closed");
  expect(left.chargedNanos).toBe(priceOf(left, -2_000n));

  const config = () => readAdminConfig(server.environment);
  const report = await runAdmin(["cost", "show", "--days", "1", "--json"], config);
  const routes: unknown = at(JSON.parse(report.stdout), "routes");
  const [sums] = await server.owner.sql<{ charged: string }[]>`
    select (sum(charged_nanos) / 1e9)::text as charged from requests where model = 'agreed/tiers'`;
  expect(routes).toContainEqual(
    expect.objectContaining({ model: "agreed/tiers", charged_usd: String(Number(sums?.charged)) }),
  );
});

test("another instance prices its next calls by the new terms, too", async () => {
  const second = await startTestServer({ site: server });
  try {
    const account = await openAccount(server);
    const ask = () =>
      askBilled(second, { key: account.key, model: "agreed/two", script: { deltas: 9 } });
    expect((await ask()).row.chargedNanos).toBe(priceOf((await ask()).row));
    await setPrices(account, "agreed/two=+25%");
    await eventually("the price on the other instance", async () => {
      const { row } = await ask();
      return row.chargedNanos === priceOf(row, 2_500n);
    });
  } finally {
    await second.close();
  }
});

/** A call without a script of its own; its row. */
async function billed(key: string, path: string, body: JsonObject) {
  const name = `agreed${path}`;
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const answer = await fetch(`${server.baseUrl}${path}`, {
    method: "POST",
    headers: { ...headers, "user-agent": name },
    body: JSON.stringify(body),
  });
  expect([path, answer.status]).toEqual([path, 200]);
  await answer.text();
  return awaitRequest(server, name);
}

function fetchChat(key: string, model: string): Promise<Response> {
  return fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, max_tokens: 60, messages: [{ role: "user", content: "Hi" }] }),
  });
}
