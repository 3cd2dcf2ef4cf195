// Credits that nobody paid: reconciliation shows their number in the metrics, and `admin top-up audit` names them.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "@turnpike/base";
import { runAdmin } from "../../src/admin/run-admin.ts";
import { readAdminConfig } from "../../src/config.ts";
import { expectCleanBooks, type TestAccount } from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import { openPoorAccount, type StripeServer, startStripeServer } from "./start-stripe-server.ts";

let server: StripeServer;
let account: TestAccount;

beforeAll(async () => {
  server = await startStripeServer({}, { reconcileEveryMs: 1_000 });
  account = await openPoorAccount(server);
});
afterAll(async () => {
  await expectCleanBooks(server);
  await server.close();
});

const audit = (...args: string[]) =>
  runAdmin(["top-up", "audit", ...args], () => readAdminConfig(server.environment));

test("a credit without a payment at Stripe is counted and named, paid ones are not", async () => {
  const { sessionId } = await server.begin(account, "25");
  server.stripe.pay(sessionId);
  const states = () => server.owner.sql<{ n: number }[]>`
    select count(*)::int as n from top_ups where state = 'paid'`;
  await eventually("the payment to be credited", async () => (await states())[0]?.n === 1);
  expect(await audit()).toMatchObject({
    exitCode: 0,
    stdout: "Stripe knows the payment of every credit.\n",
  });
  const id = newId();
  await server.owner.sql`
    insert into top_ups (id, account_id, amount_nanos, state, processor, credited_nanos,
                         checkout_session_id, payment_intent_id)
    values (${id}, ${account.id}, 500, 'paid', 'stripe', 500, 'cs_forged', 'pi_forged')`;
  await server.owner.sql`
    select * from post_movement(${newId()}, 'top_up', 'stripe:pi_forged', '', 'stripe',
      ${account.id}, 500, 'stripe_clearing')`;
  expect(await audit("--days", "1")).toMatchObject({ exitCode: 1, stdout: `${id}\n` });
  await eventually("the credit to be counted", async () => {
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    return metrics.includes("\nturnpike_unpaid_credits 1\n");
  });
});
