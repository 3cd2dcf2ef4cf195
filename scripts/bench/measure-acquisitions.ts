// What budgets cost an acquisition: without budgets, and with one of each kind. The two take turns, in a database of
// their own with durable commits.
import { createAccount } from "@turnpike/accounts";
import { type InstanceId, newId } from "@turnpike/base";
import { type Connection, connectDatabase, migrate, type Sql } from "@turnpike/db";
import { mintApiKey } from "@turnpike/keys";
import { postMovement } from "@turnpike/ledger";
import { nanosPerUsd, toNanos } from "@turnpike/terms";

export type AcquisitionFigures = {
  readonly title: string;
  /** Of a statement for one call, with its durable commit. */
  readonly singleP50Ms: number;
  /** Of a statement for one call each of 64 accounts. */
  readonly batchP50Ms: number;
};

const rounds = { single: 1_000, batch: 200 };
const warmUpPart = 5;
const batchSize = 64;

type Payer = { readonly accountId: string; readonly keyId: string; readonly leaseId: string };
type Side = {
  readonly title: string;
  readonly payers: readonly Payer[];
};

export async function measureAcquisitions(
  ownerUrl: string,
): Promise<readonly AcquisitionFigures[]> {
  const url = await createDatabase(ownerUrl);
  const connection = connectDatabase({ url, max: 1, applicationName: "turnpike bench" });
  try {
    const { sql } = connection;
    const instanceId = newId<InstanceId>();
    await sql`insert into instances (id) values (${instanceId})`;
    const sides: readonly Side[] = [
      { title: "no budgets", payers: await newPayers(connection, 1) },
      { title: "four budgets", payers: await newPayers(connection, 2, true) },
    ];
    await sql.unsafe("analyze");
    const acquire = (side: Side, calls: number) => acquireOnce(sql, instanceId, side, calls);
    const single = await timeInTurns(sides, rounds.single, (side) => acquire(side, 1));
    const batch = await timeInTurns(sides, rounds.batch, (side) => acquire(side, batchSize));
    return sides.map(({ title }, index) => ({
      title,
      singleP50Ms: single[index] ?? Number.NaN,
      batchP50Ms: batch[index] ?? Number.NaN,
    }));
  } finally {
    await connection.close();
  }
}

async function createDatabase(ownerUrl: string): Promise<string> {
  const owner = connectDatabase({ url: ownerUrl, max: 1, applicationName: "turnpike bench" });
  try {
    await owner.sql.unsafe("create database acquisitions");
  } finally {
    await owner.close();
  }
  const url = new URL(ownerUrl);
  url.pathname = "/acquisitions";
  await migrate({ url: url.href });
  return url.href;
}

async function newPayers(
  connection: Connection,
  side: number,
  withBudgets = false,
): Promise<Payer[]> {
  const payers: Payer[] = [];
  for (let index = 0; index < batchSize; index += 1) {
    payers.push(await newPayer(connection, `${side}-${index}`, withBudgets));
  }
  return payers;
}

async function newPayer(
  { db, sql }: Connection,
  name: string,
  withBudgets: boolean,
): Promise<Payer> {
  const email = `acquisitions-${name}@turnpike.local`;
  const { accountId, personId } = await createAccount(db, { email });
  await postMovement(db, {
    accountId,
    amountNanos: toNanos(1_000n * nanosPerUsd),
    kind: "adjustment",
    book: "adjustments",
    idempotencyKey: `acquisitions:${name}`,
    reason: "Benchmark",
    actor: "bench",
  });
  const { id: keyId } = await mintApiKey(db, { accountId, createdBy: personId, name: "Benchmark" });
  if (withBudgets) {
    const subjects = { account: accountId, project: accountId, member: personId, key: keyId };
    for (const [kind, subject] of Object.entries(subjects)) {
      await sql`insert into budgets (account_id, kind, subject_id, period, limit_nanos)
                values (${accountId}, ${kind}, ${subject}, 'month', 900000000000)`;
    }
  }
  return { accountId, keyId, leaseId: newId() };
}

async function acquireOnce(sql: Sql, instance: string, side: Side, calls: number): Promise<void> {
  const payers = side.payers.slice(0, calls);
  const list = (read: (payer: Payer) => string) => `{${payers.map(read).join()}}`;
  const each = (value: string) => list(() => value);
  const [row] = await sql.unsafe<{ refused: string | null }[]>(
    `select array_to_string(array_remove(verdicts, 'held'), ',') as refused from acquire_leases($1, false, false, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      instance,
      list((payer) => payer.leaseId),
      list((payer) => payer.accountId),
      list((payer) => payer.keyId),
      each("1000"),
      each("1000"),
      each("0"),
      each("0"),
      each("f"),
      each("f"),
      each("NULL"),
    ],
    { prepare: true },
  );
  if (row?.refused !== "") throw new Error(`an acquisition was ${row?.refused}`);
}

/** Medians in milliseconds, in the order of `sides`. */
async function timeInTurns(
  sides: readonly Side[],
  count: number,
  run: (side: Side) => Promise<void>,
): Promise<number[]> {
  const times = sides.map((): number[] => []);
  for (let round = -Math.ceil(count / warmUpPart); round < count; round += 1) {
    for (const [index, side] of sides.entries()) {
      const startedAtMs = performance.now();
      await run(side);
      if (round >= 0) times[index]?.push(performance.now() - startedAtMs);
    }
  }
  return times.map((each) => each.toSorted((a, b) => a - b)[each.length >> 1] ?? Number.NaN);
}
