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
  startTestServer,
  type TestAccount,
} from "../harness/index.ts";
import { askBilled } from "./ask-billed.ts";
import { nanosOf } from "./odd-prices.ts";
import { eventually } from "./read-requests.ts";

const listed = { input: 333_333_333n, output: 1_999_999_999n };
const shape = `contextTokens: 32768
    maxOutputTokens: 4096
    prices: { input: "0.333333333", output: "1.999999999" }`;
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
  - id: other/three
    routes: [{ provider: scripted, model: up-three }]
    ${shape}
`,
});
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

async function setPrices(account: Pick<TestAccount, "id">, prices: string) {
  const args = ["account", "set-prices", "--account", account.id];
  const options = ["--prices", prices, "--reason", "contract 12", "--json"];
  const config = () => readAdminConfig(server.environment);
  return runAdmin([...args, ...options], config);
}

const scale = (rate: bigint, basisPoints: bigint) =>
  (rate * (10_000n + basisPoints) + 5_000n) / 10_000n;

function priceOf(tokens: { promptTokens: number; completionTokens: number }, basisPoints = 0n) {
  const input = BigInt(tokens.promptTokens) * scale(listed.input, basisPoints);
  const output = BigInt(tokens.completionTokens) * scale(listed.output, basisPoints);
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
  const set = await setPrices(account, "agreed/*=-12.5%, agreed/two=+40%");
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
  await setPrices(account, "*=-30%");
  await awaitPrice(account.key, "agreed/one", -3_000n);
  for (const stream of [false, true]) {
    const options = stream ? { stream, stream_options: { include_usage: true } } : {};
    const { row, received } = await call(account.key, "agreed/two", options);
    const cost = priceOf(row, -3_000n);
    expect(nanosOf(received.usage?.cost)).toBe(cost);
    const path = `/generation?id=${row.id}`;
    const generation = await readJson(await getPath(server, account.key, path));
    expect(nanosOf(at(generation, "data.cost_usd"))).toBe(cost);
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
  await setPrices(free, "*=-100%");
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
  await setPrices(account, "*=-50% until 2026-01-01, agreed/*=-10% until 2999-01-01");
  await awaitPrice(account.key, "agreed/one", -1_000n);
  const other = await call(account.key, "other/three");
  expect(other.row.chargedNanos).toBe(priceOf(other.row));
});

test("what would be sold below cost is said, what is wrong is refused, and the account reads the change", async () => {
  const account = await openAccount(server);
  const set = await setPrices(account, "agreed/*=-20%");
  expect(JSON.parse(set.stdout)).toMatchObject({
    prices: ["agreed/*: -20%"],
    belowCost: ["agreed/one at scripted"],
  });
  for (const wrong of ["agreed/*", "a=-101%", "a=5", "a=-1%,a=-2%", "a=-1% until soon", ""]) {
    const refused = await setPrices(account, wrong);
    expect(refused.exitCode).not.toBe(0);
    expect(refused.stderr).toContain("anthropic/*=-10%");
  }
  const [audit] = await server.owner.sql<{ action: string; changes: JsonObject }[]>`
    select action, changes from audit_log where account_id = ${account.id}
     order by id desc limit 1`;
  expect(audit).toMatchObject({
    action: "account.set_prices",
    changes: { prices: [null, "agreed/*: -20%"], reason: [null, "contract 12"] },
  });
});

function fetchChat(key: string, model: string): Promise<Response> {
  return fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, max_tokens: 60, messages: [{ role: "user", content: "Hi" }] }),
  });
}
