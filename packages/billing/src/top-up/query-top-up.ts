// A top-up as its owner sees it. A top-up under review is shown as still processing, because
// it may yet be credited.

import type { AccountId, TopUpId } from "@turnpike/base";
import type { Db, TopUpState } from "@turnpike/db";
import type { Nanos } from "@turnpike/terms";
import { type Order, requireOrder } from "./find-order.ts";

export type TopUp = {
  readonly id: TopUpId;
  readonly accountId: AccountId;
  readonly state: "pending" | "processing" | "paid" | "failed" | "canceled" | "expired";
  readonly amountNanos: Nanos;
  readonly creditedNanos: Nanos;
  /** Refunded or disputed away so far. */
  readonly reversedNanos: Nanos;
  readonly receiptUrl: string | null;
  readonly failureReason: string | null;
  readonly createdAt: Date;
};

const shownStates = {
  created: "pending",
  pending: "pending",
  processing: "processing",
  paid: "paid",
  failed: "failed",
  canceled: "canceled",
  expired: "expired",
  quarantined: "processing",
} as const satisfies Record<TopUpState, TopUp["state"]>;

/** Throws `not_found`, also for another account's top-up. */
export async function queryTopUp(db: Db, accountId: AccountId, topUpId: TopUpId): Promise<TopUp> {
  return presentOrder(await requireOrder(db, accountId, topUpId));
}

export function presentOrder(order: Order): TopUp {
  return {
    id: order.id,
    accountId: order.accountId,
    state: shownStates[order.state],
    amountNanos: order.amountNanos,
    creditedNanos: order.creditedNanos,
    reversedNanos: order.reversedNanos,
    receiptUrl: order.receiptUrl,
    failureReason: order.state === "failed" ? order.failureReason : null,
    createdAt: order.createdAt,
  };
}
