// What a lost connection does to the driver's callers. The transaction tests fail without the patch
// in patches/: the process dies, a slot of the pool hangs, or a statement runs outside its
// transaction.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestDatabase, startTcpProxy, type TestDatabase } from "@turnpike/testing";
import { sql as query } from "drizzle-orm";
import { arrayLiteral } from "./array-literal.ts";
import {
  type Connection,
  connectDatabase,
  type Db,
  errorCodeOf,
  isConnectionError,
  markPooled,
} from "./connect.ts";

let database: TestDatabase;
let owner: Connection;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = connectDatabase({ url: database.ownerUrl, max: 2 });
  await owner.sql`create table notes (text text)`;
});
afterAll(async () => {
  await owner.close();
  await database.drop();
});

async function withPool<Result>(max: number, use: (pool: Connection) => Promise<Result>) {
  const pool = connectDatabase({ url: database.ownerUrl, max });
  try {
    return await use(pool);
  } finally {
    await pool.close();
  }
}

/** A transaction that loses its connection, and the error of its next statement. */
async function loseTransaction({ sql }: Connection): Promise<string | undefined> {
  const seen = Promise.withResolvers<void>();
  const second = Promise.withResolvers<string | undefined>();
  const transaction = sql.begin(async (open) => {
    const [row] = await open<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await owner.sql`select pg_terminate_backend(${row?.pid ?? 0})`;
    await seen.promise;
    second.resolve(
      await open`insert into notes (text) values (${"outside"})`.then(
        () => "no error",
        errorCodeOf,
      ),
    );
  });
  expect(isConnectionError(await transaction.catch((error: unknown) => error))).toBe(true);
  seen.resolve();
  return second.promise;
}

describe("a transaction that loses its connection", () => {
  test("learns of it from its next statement, and every slot of the pool still answers", async () => {
    await withPool(3, async (pool) => {
      for (let round = 0; round < 3; round++) {
        expect(await loseTransaction(pool)).toBe("CONNECTION_CLOSED");
        const answers = await Promise.all([1, 2, 3].map((n) => pool.sql`select ${n}::int as n`));
        expect(answers.map(([row]) => row?.n)).toEqual([1, 2, 3]);
      }
    });
  });

  test("never continues outside its transaction when its connection is reopened for others", async () => {
    await withPool(1, async (pool) => {
      const lost = loseTransaction(pool);
      const waiting = Array.from({ length: 5 }, () => pool.sql`select 1 as one`);
      expect(await lost).toBe("CONNECTION_CLOSED");
      for (const [row] of await Promise.all(waiting)) expect(row?.one).toBe(1);
    });
    expect(await owner.sql`select * from notes`).toHaveLength(0);
  });
});

describe("a connection killed under a statement", () => {
  test("fails that statement as lost, and none after it", async () => {
    await withPool(1, async (pool) => {
      for (let round = 0; round < 5; round++) {
        const sleeping = pool.sql`select pg_sleep(20)`.catch((error: unknown) => error);
        let killed = 0;
        while (killed === 0) {
          killed = (
            await owner.sql`select pg_terminate_backend(pid) from pg_stat_activity
                      where query = 'select pg_sleep(20)' and datname = ${database.name}`
          ).length;
        }
        expect(isConnectionError(await sleeping)).toBe(true);
        expect((await pool.sql`select 1 as one`)[0]?.one).toBe(1);
      }
    });
  });
});

/** A pool whose connections can be reset. */
async function openBehindProxy(max: number, options: { answerTimeoutMs?: number } = {}) {
  const url = new URL(database.ownerUrl);
  const proxy = await startTcpProxy({ port: Number(url.port) });
  url.port = String(proxy.port);
  return { proxy, pool: connectDatabase({ url: url.href, max, ...options }) };
}

test("a transaction whose connection is reset under a statement fails, and the pool continues to work", async () => {
  const { proxy, pool } = await openBehindProxy(1);
  for (let round = 0; round < 3; round++) {
    const transaction = pool.sql.begin(async (open) => {
      await open`select 1`;
      const sleeping = open`select pg_sleep(20)`.catch((error: unknown) => error);
      await proxy.nextBytes("to-target");
      proxy.cut();
      expect(isConnectionError(await sleeping)).toBe(true);
      await open`select 2`;
    });
    expect(isConnectionError(await transaction.catch((error: unknown) => error))).toBe(true);
    const answers = Array.from({ length: 3 }, () => pool.sql`select 1 as one`.catch(() => []));
    await Promise.all(answers);
    for (let n = 0; n < 3; n++) expect((await pool.sql`select 1 as one`)[0]?.one).toBe(1);
  }
  await pool.close();
  await proxy.close();
});

test("a pool that lost all its connections by reset reconnects immediately", async () => {
  const { proxy, pool } = await openBehindProxy(8);
  await Promise.all(Array.from({ length: 8 }, () => pool.sql`select pg_sleep(0.1)`));
  expect(proxy.connections).toBe(8);
  const lost = Array.from({ length: 8 }, () => pool.sql`select pg_sleep(20)`.catch(errorCodeOf));
  await proxy.nextBytes("to-target");
  proxy.cut();
  for (const code of await Promise.all(lost)) expect(code).toBeDefined();
  // May still be sent on a connection that is reset but not closed yet, and then fails.
  await pool.sql`select 1 as one`.catch((error: unknown) =>
    expect(isConnectionError(error)).toBe(true),
  );
  // The driver alone would wait 3^8 hundredths of a second, at most 20 s, before it tries again: this test may not.
  expect((await pool.sql`select 1 as one`)[0]?.one).toBe(1);
  await pool.close();
  await proxy.close();
}, 19_000);

test("a half-open connection fails its statement after the time for answers, and is replaced", async () => {
  const { proxy, pool } = await openBehindProxy(1, { answerTimeoutMs: 500 });
  for (let round = 0; round < 3; round++) {
    expect((await pool.sql`select 1 as one`)[0]?.one).toBe(1);
    proxy.orphan();
    const lost = pool.sql`select 2`.catch((error: unknown) => error);
    const waiting = pool.sql`select 3 as three`;
    expect(isConnectionError(await lost)).toBe(true);
    expect((await waiting)[0]?.three).toBe(3);
  }
  // Idle for longer than that: nothing is awaited, so nothing is replaced.
  const pid = async () =>
    (await pool.sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid;
  const before = await pid();
  await Bun.sleep(1_000);
  expect(await pid()).toBe(before);
  await pool.close();
  await proxy.close();
});

test("statements sent to a half-open connection give those before them no more time", async () => {
  const { proxy, pool } = await openBehindProxy(1, { answerTimeoutMs: 500 });
  // Prepared before, so that the next ones are sent without waiting for each other.
  const ask = (n: number) => pool.sql<{ n: number }[]>`select ${n}::int as n`;
  await ask(0);
  proxy.orphan();
  let isLost = false;
  const lost = ask(1).catch((error: unknown) => {
    isLost = true;
    return error;
  });
  const others: Promise<unknown>[] = [];
  while (!isLost && others.length < 80) {
    others.push(ask(2).catch(errorCodeOf));
    await Bun.sleep(50);
  }
  expect(isLost).toBe(true);
  expect(isConnectionError(await lost)).toBe(true);
  await Promise.all(others);
  expect((await ask(3))[0]?.n).toBe(3);
  await pool.close();
  await proxy.close();
});

describe("a connection", () => {
  test("has limits on statements, locks and idle transactions", async () => {
    await withPool(1, async ({ sql }) => {
      const names = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"];
      const rows = await sql<{ setting: string }[]>`
        select current_setting(name) as setting
          from unnest(${arrayLiteral(names)}::text[]) with ordinality u (name, n) order by n`;
      expect(rows.map((row) => row.setting)).toEqual(["5s", "2s", "10s"]);
    });
  });

  test("works inside a transaction, which rolls back what was done in it", async () => {
    const countNotes = async (db: Db) =>
      (await db.execute<{ notes: string }>(query`select count(*) as notes from notes`))[0]?.notes;
    await withPool(1, async ({ db }) => {
      const rolledBack = db.transaction(async (transaction) => {
        await transaction.execute(query`insert into notes (text) values ('inside')`);
        expect(await countNotes(transaction)).toBe("1");
        transaction.rollback();
      });
      await expect(rolledBack).rejects.toThrow("Rollback");
      expect(await countNotes(db)).toBe("0");
    });
  });
});

describe("a copy to its client", () => {
  const rows = "select repeat('x', 480) from generate_series(1, 200)";

  test("leaves its connection able to answer, however its rows fill the buffer of the reader", async () => {
    await withPool(1, async ({ sql }) => {
      for (let round = 0; round < 20; round++) {
        const copy = await sql.unsafe(`copy (${rows}) to stdout`).readable();
        let bytes = 0;
        for await (const chunk of copy) bytes += chunk.length;
        expect(bytes).toBe(200 * 481);
        expect([...(await sql`select 1 as one`)]).toEqual([{ one: 1 }]);
      }
    });
  });

  test("leaves it so when its reader stops early, or has not begun", async () => {
    await withPool(1, async ({ sql }) => {
      for (let round = 0; round < 5; round++) {
        for await (const _ of await sql.unsafe(`copy (${rows}) to stdout`).readable()) break;
        const unread = await sql.unsafe(`copy (${rows}) to stdout`).readable();
        unread.destroy();
        expect([...(await sql`select 1 as one`)]).toEqual([{ one: 1 }]);
      }
    });
  });
});

test("an error's code is found however deep it was wrapped", () => {
  const deep = Object.assign(new Error("deep"), { code: "40001" });
  expect(errorCodeOf(new Error("top", { cause: new Error("middle", { cause: deep }) }))).toBe(
    "40001",
  );
  expect(errorCodeOf(new Error("none"))).toBeUndefined();
  expect(errorCodeOf("text")).toBeUndefined();
});

test("a statement of the prepared pool is planned once, and none of the others or behind a pooler", async () => {
  const count = query`select count(*)::int as n from pg_prepared_statements where statement like '%as mark%'`;
  const statement = query`select ${1}::int as mark`;
  await withPool(1, async ({ db, preparedDb, sql }) => {
    const named = async () =>
      (
        await sql.unsafe<{ n: number }[]>(
          "select count(*)::int as n from pg_prepared_statements where statement like '%as mark%'",
        )
      )[0]?.n;
    await db.execute(statement);
    expect(await named()).toBe(0);
    await preparedDb.execute(statement);
    await preparedDb.execute(statement);
    expect(await named()).toBe(1);
  });
  const pooled = connectDatabase({ url: markPooled(database.ownerUrl), max: 1 });
  try {
    await pooled.preparedDb.execute(statement);
    expect([...(await pooled.db.execute(count))]).toEqual([{ n: 0 }]);
  } finally {
    await pooled.close();
  }
});
