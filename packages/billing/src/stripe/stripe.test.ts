// What Stripe's secrets decide: whether money is real, and whether an event can be verified at all.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { workInbox } from "../inbox/work-inbox.ts";
import { openTestBilling, type TestBilling } from "../open-test-billing.fixture.ts";
import { queryTopUp } from "../top-up/query-top-up.ts";

let live: TestBilling;

beforeAll(async () => {
  live = await openTestBilling({ livemode: true });
});
afterAll(async () => {
  expect(await live.check()).toEqual([]);
  await live.close();
});

test("with a live key an order is for real money, and its payment is credited", async () => {
  const payer = await live.newPayer();
  const { topUpId, sessionId } = await live.start(payer, "20");
  const [order] = await live.owner.sql`select livemode from top_ups where id = ${topUpId}`;
  expect(order).toEqual({ livemode: true });
  live.stripe.pay(sessionId);
  await live.receiveAll();
  await workInbox(live.app.db, live.billing);
  expect((await queryTopUp(live.app.db, payer.accountId, topUpId)).state).toBe("paid");
  expect(await live.balance(payer)).toBe(20_000_000_000n);
});

test("with a live key an event of test mode is refused, even with the right signature", async () => {
  const { sessionId } = await live.start(await live.newPayer(), "20");
  live.stripe.pay(sessionId);
  const event = live.stripe.events.at(-1);
  if (event === undefined) throw new Error("no event");
  const refused = await live.receive({ ...event, livemode: false }).catch((error) => error);
  expect(refused).toBeInstanceOf(Fault);
  expect(refused).toMatchObject({ code: "malformed_request" });
});

test("Stripe is not opened without a webhook secret, because no event could be verified", () => {
  const { secretKey } = live.stripe;
  expect(() => live.openBilling({ stripe: { secretKey, webhookSecrets: [] } })).toThrow(
    "Stripe needs a webhook secret",
  );
});
