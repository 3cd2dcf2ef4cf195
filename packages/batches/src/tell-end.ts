// Tells the endpoints of an account that a batch is over, in the transaction that ends it.
import type { AccountId } from "@turnpike/base";
import { batches, type Db, queueWebhook } from "@turnpike/db";
import { formatUsd, zeroNanos } from "@turnpike/terms";
import { nameOfBatch, type StoredBatch } from "./stored-batch.ts";

export const endColumns = {
  id: batches.id,
  form: batches.form,
  state: batches.state,
  total: batches.total,
  completed: batches.completed,
  failed: batches.failed,
  costNanos: batches.costNanos,
};

type EndedBatch = Pick<StoredBatch, keyof typeof endColumns>;

export async function tellEnd(
  tx: Db,
  accountId: AccountId,
  { id, form, state, total, completed, failed, costNanos }: EndedBatch,
): Promise<void> {
  const batch = {
    id: nameOfBatch({ id, form }),
    status: state,
    request_counts: { total, completed, failed },
    cost_usd: formatUsd(costNanos ?? zeroNanos),
  };
  await queueWebhook(tx, accountId, { type: "batch.completed", data: { batch } });
}
