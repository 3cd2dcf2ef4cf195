// `admin top-up recheck`: the operator has a top-up checked with Stripe again.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { runAdmin } from "../../src/admin/run-admin.ts";
import { readAdminConfig } from "../../src/config.ts";
import { expectCleanBooks, type TestAccount } from "../harness/index.ts";
import { openPoorAccount, type StripeServer, startStripeServer } from "./start-stripe-server.ts";

let server: StripeServer;
let account: TestAccount;

beforeAll(async () => {
  server = await startStripeServer();
  account = await openPoorAccount(server);
});
afterAll(async () => {
  await expectCleanBooks(server);
  await server.close();
});

const recheck = (...args: string[]) =>
  runAdmin(["top-up", "recheck", ...args], () => readAdminConfig(server.environment));

test("an unreported payment is credited, by its id", async () => {
  const { topUpId, sessionId } = await server.begin(account, "25");
  server.stripe.pay(sessionId);
  const outcome = await recheck("--id", topUpId, "--json");
  expect(outcome.exitCode).toBe(0);
  expect(JSON.parse(outcome.stdout).topUps).toEqual([
    expect.objectContaining({ id: topUpId, state: "paid", creditedUsd: "25", disagrees: null }),
  ]);
});

test("a quarantined payment is found by the address, named, and credited once it matches", async () => {
  const { topUpId, sessionId } = await server.begin(account, "30");
  server.stripe.pay(sessionId);
  server.stripe.mutate(sessionId, { amount_total: 1 });
  const first = await recheck("--email", account.email);
  expect(first.stdout).toMatch(
    new RegExp(`${topUpId}  set aside +\\$30\\.00 +\\$0\\.00 +\\$0\\.00  amount_total`),
  );
  server.stripe.mutate(sessionId, { amount_total: 3_000 });
  const second = await recheck("--email", account.email);
  expect(second.stdout).toMatch(new RegExp(`${topUpId}  paid +\\$30\\.00 +\\$30\\.00`));
});

test("one of the two options, a valid id, and Stripe are required", async () => {
  expect((await recheck()).stderr).toContain("Give either the id or the account.");
  expect((await recheck("--id", "1")).stderr).toContain("Not an id.");
  const stripeless = { ...server.environment, STRIPE_SECRET_KEY: "", STRIPE_WEBHOOK_SECRET: "" };
  const outcome = await runAdmin(["top-up", "recheck", "--email", account.email], () =>
    readAdminConfig(stripeless),
  );
  expect(outcome).toMatchObject({ exitCode: 1, stderr: "Stripe is not configured here.\n" });
});
