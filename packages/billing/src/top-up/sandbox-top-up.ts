// The payment processor of development and tests: our own page where paying costs nothing. It
// credits by the same function as Stripe; an order made for Stripe cannot be paid here, and no order
// without the sandbox.

import { Fault, type TopUpId } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import { noteCredit } from "../automatic/note-automatic.ts";
import type { Billing } from "../billing.ts";
import type { SavedCard } from "../stripe/stripe-api.ts";
import { creditTopUp } from "./credit-top-up.ts";
import { failTopUp } from "./fail-top-up.ts";
import { findOrderById, lockOrder, type Order } from "./find-order.ts";

const sandboxCard: SavedCard = {
  paymentMethodId: "sandbox",
  brand: "sandbox",
  last4: "4242",
  expMonth: 12,
  expYear: 2099,
};

/** Throws `not_found` for what is not a sandbox top-up, or if there is no sandbox. */
export async function requireSandboxOrder(
  db: Db,
  billing: Billing,
  topUpId: TopUpId | undefined,
): Promise<Order> {
  const order = topUpId && (await findOrderById(db, topUpId));
  if (billing.mode === "sandbox" && order?.processor === "sandbox") return order;
  throw new Fault("not_found", "There is no such checkout.");
}

/** Credits a waiting top-up; one that has ended is not changed. */
export async function paySandboxTopUp(db: Db, billing: Billing, topUpId: TopUpId): Promise<void> {
  await requireSandboxOrder(db, billing, topUpId);
  await db.transaction(async (transaction) => {
    const order = await lockOrder(transaction, topUpId);
    if (order.state !== "pending") return;
    await creditSandboxTopUp(transaction, billing, order);
  });
}

/** Anyone who calls it holds the order's lock. */
export async function creditSandboxTopUp(
  transaction: Db,
  billing: Billing,
  order: Order,
): Promise<void> {
  await creditTopUp(transaction, billing, order, {
    idempotencyKey: `sandbox:${order.id}`,
    paymentIntentId: null,
    receiptUrl: null,
  });
  await noteCredit(transaction, order, sandboxCard);
}

/** Fails a waiting top-up like a declined card. */
export async function declineSandboxTopUp(
  db: Db,
  billing: Billing,
  topUpId: TopUpId,
): Promise<void> {
  await requireSandboxOrder(db, billing, topUpId);
  await db.transaction(async (transaction) => {
    const order = await lockOrder(transaction, topUpId);
    if (order.state !== "pending") return;
    await failTopUp(transaction, order, "Your card was declined.");
  });
}
