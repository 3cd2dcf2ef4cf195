// With LEDGER_KEY a server credits what Stripe says is paid, while statements of its role credit nothing; a server with
// another key does not start.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "@turnpike/base";
import { connectDatabase } from "@turnpike/db";
import { spawnServer } from "@turnpike/testing";
import { expectCleanBooks, type TestAccount } from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import { openPoorAccount, type StripeServer, startStripeServer } from "./start-stripe-server.ts";

const LEDGER_KEY = "first-key-of-at-least-thirty-two-characters";
let server: StripeServer;
let account: TestAccount;

beforeAll(async () => {
  server = await startStripeServer({ LEDGER_KEY }, { reconcileEveryMs: 1_000 });
  account = await openPoorAccount(server);
});
afterAll(async () => {
  await expectCleanBooks(server);
  await server.close();
});

const balance = async () => {
  const [row] = await server.owner.sql<{ usd: number }[]>`
    select (balance_nanos / 1000000000)::int as usd from accounts where id = ${account.id}`;
  return row?.usd;
};

test("a payment is credited, a forged order is not", async () => {
  const { sessionId } = await server.begin(account, "25");
  server.stripe.pay(sessionId);
  await eventually("the payment to be credited", async () => (await balance()) === 25);

  const { DATABASE_URL: url = "" } = server.environment;
  const app = connectDatabase({ url, max: 1, applicationName: "test" });
  const id = newId();
  const forged = app.sql.begin(async (sql) => {
    await sql`
      insert into top_ups (id, account_id, amount_nanos, processor, livemode, checkout_session_id)
      values (${id}, ${account.id}, 5000000000, 'stripe', true, 'cs_forged')`;
    await sql`
      select post_movement(${newId()}, 'top_up', 'stripe:pi_forged', 'r', 'stripe', ${account.id},
        5000000000, 'stripe_clearing')`;
    await sql`
      update top_ups set state = 'paid', credited_nanos = 5000000000, payment_intent_id = 'pi_forged'
       where id = ${id}`;
  });
  await expect(forged).rejects.toThrow("needs the proof of a server");
  await app.close();
  expect(await balance()).toBe(25);
});

test("a server whose key is not that of the database says so and does not start", async () => {
  const { DATABASE_MIGRATION_URL: _, LEDGER_KEY: __, ...others } = server.environment;
  const start = (settings: Readonly<Record<string, string>>) =>
    spawnServer({ ...others, ...settings });
  await expect(start({})).rejects.toThrow("LEDGER_KEY is not set");
  await expect(start({ LEDGER_KEY: "o".repeat(40) })).rejects.toThrow(
    "LEDGER_KEY is not a key of this database",
  );
});
