// What calls cost the operator: recorded with each charged call by the cost of the route and tier that answered,
// added up for operators, and shown to no one else.
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
} from "../harness/index.ts";
import { askChat } from "./ask-chat.ts";
import { awaitRequest } from "./read-requests.ts";

const prices =
  'prices: { input: "1", output: "4", tiers: { flex: { input: "0.5", output: "2" } } }';
const server = await startTestServer({
  catalog: (baseUrl) => `
providers:
  - { id: first, baseUrl: "${baseUrl}" }
  - { id: second, baseUrl: "${baseUrl}" }
models:
  - id: costs/two
    contextTokens: 32768
    maxOutputTokens: 4096
    routes:
      - { provider: first, model: up-first, cost: { input: "0.777777777", output: "3.000000001" } }
      - { provider: second, model: up-second }
    ${prices}
    cost: { input: "0.2", output: "0.8", tiers: { flex: { input: "0.1", output: "0.4" } } }
  - id: costs/none
    contextTokens: 32768
    maxOutputTokens: 4096
    routes: [{ provider: first, model: up-none }]
    ${prices}
`,
});
const account = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

let calls = 0;

async function call(fields: JsonObject, script: object = {}) {
  calls += 1;
  const name = `cost-${calls}`;
  const messages = [scripted({ tag: name, deltas: 7, ...script })];
  await askChat(server, { key: account.key, name, body: { messages, max_tokens: 50, ...fields } });
  const row = await awaitRequest(server, name);
  const [stored] = await server.owner.sql<{ cost: string | null }[]>`
    select usage_details ->> 'operatorCostNanos' as cost from requests where id = ${row.id}`;
  return { row, cost: stored?.cost ?? null };
}

const servedBy = (id: string) => ({ provider: { only: [id] } });

/** Nano-dollars per million tokens. */
function costOf(prompt: number, completion: number, input: bigint, output: bigint): string {
  return (
    (BigInt(prompt) * input + BigInt(completion) * output + 999_999n) /
    1_000_000n
  ).toString();
}

async function report(...args: string[]) {
  const config = () => readAdminConfig({ DATABASE_URL: server.database.url });
  return runAdmin(["cost", "show", ...args], config);
}

test("each call records what its route cost at the tier that answered", async () => {
  const model = "costs/two";
  const own = await call({ model, ...servedBy("first") });
  const { promptTokens, completionTokens } = own.row;
  expect(own.cost).toBe(costOf(promptTokens, completionTokens, 777_777_777n, 3_000_000_001n));
  const inherited = await call({ model, ...servedBy("second") });
  const { promptTokens: prompt, completionTokens: completion } = inherited.row;
  expect(inherited.cost).toBe(costOf(prompt, completion, 200_000_000n, 800_000_000n));
  const flex = { model, ...servedBy("second"), service_tier: "flex" };
  const cheap = await call(flex, { serviceTier: "flex" });
  expect(cheap.cost).toBe(
    costOf(cheap.row.promptTokens, cheap.row.completionTokens, 100_000_000n, 400_000_000n),
  );
  // The operator pays for the tier that answered, whatever the account was promised.
  const standard = await call(flex, { serviceTier: "default" });
  expect(standard.cost).toBe(
    costOf(standard.row.promptTokens, standard.row.completionTokens, 200_000_000n, 800_000_000n),
  );
  expect((await call({ model: "costs/none" })).cost).toBeNull();
});

test("an account does not see it", async () => {
  const { row, cost } = await call({ model: "costs/two", ...servedBy("first") });
  expect(Number(cost)).toBeGreaterThan(0);
  for (const path of [`/generation?id=${row.id}`, "/models", "/models/costs/two/endpoints"]) {
    const text = JSON.stringify(await readJson(await getPath(server, account.key, path)));
    expect(text.toLowerCase()).not.toContain("operator");
    expect(text).not.toContain(String(cost));
    expect(text).not.toContain("777777777");
  }
});

test("operators see it by model and provider, beside what was charged", async () => {
  const { stdout, exitCode } = await report("--days", "1", "--json");
  expect(exitCode).toBe(0);
  const parsed: unknown = JSON.parse(stdout);
  expect(at(parsed, "routes")).toMatchObject([
    { model: "costs/none", provider: "first", calls: 1, calls_with_cost: 0, cost_usd: null },
    { model: "costs/two", provider: "first", calls: 2, calls_with_cost: 2 },
    { model: "costs/two", provider: "second", calls: 3, calls_with_cost: 3 },
  ]);
  const [sums] = await server.owner.sql<{ charged: string; cost: string }[]>`
    select sum(charged_nanos)::text as charged,
           sum((usage_details ->> 'operatorCostNanos')::bigint)::text as cost
      from requests where provider = 'second'`;
  const usd = (nanos: bigint) => (Number(nanos) / 1e9).toFixed(9).replace(/0+$/, "");
  const [charged, cost] = [BigInt(sums?.charged ?? 0), BigInt(sums?.cost ?? 0)];
  expect(at(parsed, "routes.2")).toMatchObject({
    charged_usd: usd(charged),
    cost_usd: usd(cost),
    margin_usd: usd(charged - cost),
  });
  const text = (await report()).stdout.split("\n");
  expect(text[0]).toContain("the catalog has no cost for them");
  expect(text[2]).toMatch(
    /^costs\/two at second: 3 calls, charged <?\$\S+, cost <?\$\S+, margin [-<]?\$/,
  );
});

test("an invalid number of days is refused", async () => {
  for (const days of ["0", "1.5", "many"]) {
    const { exitCode, stderr } = await report("--days", days);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain("--days");
  }
});
