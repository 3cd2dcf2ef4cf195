import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { openBoundedConnection, StatementDeadline } from "./bounded-connection.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const open = () =>
  openBoundedConnection({
    url: database.url,
    max: 1,
    deadlineMs: 200,
    applicationName: "test",
  });

test("an answer that arrived while this process was busy is read, not abandoned", async () => {
  const connection = open();
  await connection.run((sql) => sql`select 1`);
  const answer = connection.run(async (sql) => {
    const sent = sql<{ one: number }[]>`select 1 as one`.execute();
    await Bun.sleep(0);
    // Nothing else can run in this process until well after the deadline.
    const untilMs = performance.now() + 1_500;
    while (performance.now() < untilMs);
    return sent;
  });
  expect([...(await answer)]).toEqual([{ one: 1 }]);
  await connection.close();
});

test("a statement that still has no answer once this process is free again is abandoned", async () => {
  const connection = open();
  const stuck = connection.run(async (sql) => {
    await sql`select 1`;
    const untilMs = performance.now() + 1_500;
    while (performance.now() < untilMs);
    return new Promise<never>(() => undefined);
  });
  expect(await stuck.catch((error: unknown) => error)).toBeInstanceOf(StatementDeadline);
  await connection.close();
});

test("a statement is sent once a connection is free for it, not before", async () => {
  const connection = open();
  const gate = Promise.withResolvers<void>();
  const sent: string[] = [];
  const running = connection.run(() => gate.promise);
  const waiting = connection.run(async (sql) => {
    sent.push("second");
    return sql`select 1`;
  });
  await Bun.sleep(0);
  expect(sent).toEqual([]);
  gate.resolve();
  await Promise.all([running, waiting]);
  expect(sent).toEqual(["second"]);
  await connection.close();
});

test("FD13: a statement without an answer is abandoned, and the next one gets a new connection", async () => {
  const connection = open();
  const stuck = connection.run(async (sql) => {
    await sql`select 1`;
    return new Promise<never>(() => undefined);
  });
  expect(await stuck.catch((error: unknown) => error)).toBeInstanceOf(StatementDeadline);
  expect([...(await connection.run((sql) => sql`select 2 as two`))]).toEqual([{ two: 2 }]);
  await connection.close();
});

test("a connection that answered in time is still used after the deadline, not replaced", async () => {
  const connection = open();
  const processOf = () => connection.run((sql) => sql`select pg_backend_pid() as pid`);
  const before = [...(await processOf())];
  // Wait past deadline and grace: that must change nothing.
  await Bun.sleep(1_000);
  expect([...(await processOf())]).toEqual(before);
  await connection.close();
});
