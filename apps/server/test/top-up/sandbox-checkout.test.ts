// The page that replaces Stripe in development: it says what it is, it credits through the same
// function, only one of our own forms may act on it, and it does not exist together with Stripe or in
// production.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { newId, type TopUpId } from "@turnpike/base";
import { createTopUp } from "@turnpike/billing";
import { formatUsd } from "@turnpike/terms";
import {
  expectCleanBooks,
  readMoney,
  startTestServer,
  type TestAccount,
  type TestServer,
} from "../harness/index.ts";
import { openPoorAccount, startStripeServer } from "./start-stripe-server.ts";

let server: TestServer;
let account: TestAccount;

beforeAll(async () => {
  server = await startTestServer({ environment: { THROTTLE_SCALE: "1000" } });
  account = await openPoorAccount(server);
});
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

async function begin(amountUsd = "12.50"): Promise<{ topUpId: TopUpId; url: string }> {
  const { topUpId, checkoutUrl } = await createTopUp(server.owner.db, server.services.billing, {
    attemptId: newId<TopUpId>(),
    accountId: account.id,
    personId: account.personId,
    amountUsd,
  });
  return { topUpId, url: new URL(checkoutUrl, server.url).href };
}

const ours = { "sec-fetch-site": "same-origin" };

function press(url: string, action: string, headers: Record<string, string> = ours) {
  return fetch(url, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: `action=${action}`,
  });
}

async function stateOf(topUpId: TopUpId): Promise<unknown> {
  const [row] = await server.owner.sql`select state from top_ups where id = ${topUpId}`;
  return row?.state;
}

async function balance(): Promise<string> {
  return formatUsd((await readMoney(server, account.id)).balanceNanos);
}

test("the page shows the amount and that no money moves, and runs no script", async () => {
  const { url } = await begin();
  const response = await fetch(url);
  const html = await response.text();
  expect(response.status).toBe(200);
  expect(html).toContain("$12.50");
  expect(html).toContain("No money moves here");
  expect(html).not.toContain("<script");
  expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
});

test("Pay credits once, however often it is pressed, and leads back to the wallet", async () => {
  const { topUpId, url } = await begin();
  const pressed = await Promise.all([press(url, "pay"), press(url, "pay"), press(url, "pay")]);
  for (const response of pressed) {
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toEndWith(`/wallet/top-ups/${topUpId}`);
  }
  expect([await stateOf(topUpId), await balance()]).toEqual(["paid", "12.5"]);
  expect(await (await fetch(url)).text()).toContain("This checkout has ended");
});

test("Decline and Cancel credit nothing", async () => {
  const before = await balance();
  const declined = await begin();
  await press(declined.url, "decline");
  expect(await stateOf(declined.topUpId)).toBe("failed");
  await press(declined.url, "pay");
  const canceled = await begin();
  const response = await press(canceled.url, "cancel");
  expect(response.headers.get("location")).toEndWith(
    `/wallet/top-ups/${canceled.topUpId}?canceled=1`,
  );
  expect(await balance()).toBe(before);
});

test.each([
  ["of another site", { "sec-fetch-site": "cross-site" }],
  ["of a sibling site", { "sec-fetch-site": "same-site" }],
  ["of another origin", { origin: "https://evil.example" }],
  ["of nobody", {}],
])("a form %s pays nothing", async (_, headers) => {
  const { topUpId, url } = await begin();
  expect((await press(url, "pay", headers)).status).toBe(403);
  expect(await stateOf(topUpId)).toBe("pending");
});

test.each(["nothing", "", "../../x", newId<TopUpId>()])("there is no checkout %j", async (id) => {
  expect((await press(`${server.url}/dev/checkout/${id}`, "pay")).status).toBe(404);
});

test("with Stripe there is no sandbox: an order made for Stripe cannot be paid there", async () => {
  const real = await startStripeServer();
  try {
    const { topUpId } = await real.begin(await openPoorAccount(real), "25");
    const response = await press(`${real.url}/dev/checkout/${topUpId}`, "pay");
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toContain("json");
    await expectCleanBooks(real);
  } finally {
    await real.close();
  }
});
