// Batches that run, at the desk: whose they are, how far each is and what it waits for; one can be stopped, in the account's own audit
// log.
import {
  type AccountId,
  type BatchId,
  Fault,
  parseBatchId,
  parseId,
  parseMessageBatchId,
} from "@turnpike/base";
import { nameOfBatch, queryRunning, type RunningBatch, stopBatch } from "@turnpike/batches";
import { recordAudit } from "@turnpike/db";
import { z } from "zod";
import { queryAccount } from "./account/query-account.ts";
import { accountInput, line } from "./inputs.ts";
import { actorOf, command, everyone, query, support } from "./verb.ts";

const rowsMax = 100;

/** As `batch.queue` and the customer name it, or its UUID. */
const batchInput = line(64).transform((text, context): BatchId => {
  const id = parseBatchId(text) ?? parseMessageBatchId(text) ?? parseId<BatchId>(text);
  if (id !== undefined) return id;
  context.addIssue({ code: "custom", message: "Not an id of a batch." });
  return z.NEVER;
});

export const batchVerbs = {
  queue: query({
    roles: everyone,
    summary:
      "the batches that run: whose, how many of their lines wait and since when, what pauses them",
    input: { account: accountInput.optional() },
    async run({ db }, _, { account: named }) {
      const account = named === undefined ? undefined : await queryAccount(db, named);
      const running = await queryRunning(db, account?.id);
      return {
        batches: running.length,
        ...sumLines(running),
        accounts: sumAccounts(running),
        rows: running.slice(0, rowsMax).map((batch) => ({ ...batch, id: nameOfBatch(batch) })),
      };
    },
  }),
  cancel: command({
    roles: support,
    label: "Stop a batch",
    destroys: true,
    summary: "stops a batch: no line of it starts any more; those that run end and are charged",
    input: { account: accountInput, id: batchInput },
    async run({ db }, by, { account: named, id, reason }) {
      const { id: accountId } = await queryAccount(db, named);
      return db.transaction(async (tx) => {
        const stopped = await stopBatch(tx, { owner: { accountId } }, id);
        if (stopped === undefined) {
          throw new Fault("not_found", "The account has no such batch that goes on.");
        }
        const name = nameOfBatch(stopped);
        await recordAudit(tx, {
          accountId,
          by: actorOf(by, reason),
          action: "batch.cancel",
          object: { id, name },
        });
        return { accountId, id: name, state: stopped.state };
      });
    },
  }),
};

type Lines = Pick<RunningBatch, "waiting" | "running" | "oldestAt">;

function sumLines(running: readonly Lines[]): Lines {
  const times = running.flatMap(({ oldestAt }) => oldestAt ?? []).toSorted();
  return {
    waiting: running.reduce((sum, batch) => sum + batch.waiting, 0),
    running: running.reduce((sum, batch) => sum + batch.running, 0),
    oldestAt: times[0] ?? null,
  };
}

type AccountLines = Lines & Pick<RunningBatch, "accountId" | "account"> & { batches: number };

/** Who has the most waiting lines first. */
function sumAccounts(running: readonly RunningBatch[]): readonly AccountLines[] {
  const byAccount = Map.groupBy(running, ({ accountId }): AccountId => accountId);
  const accounts = [...byAccount].flatMap(([accountId, [first, ...rest]]) =>
    first === undefined
      ? []
      : {
          accountId,
          account: first.account,
          batches: rest.length + 1,
          ...sumLines([first, ...rest]),
        },
  );
  return accounts.toSorted((one, other) => other.waiting - one.waiting).slice(0, rowsMax);
}
