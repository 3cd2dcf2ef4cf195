// The queue of mails: what each end leaves of one, when it is tried again, and what operators see of it.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { type Connection, connectDatabase } from "@turnpike/db";
import { discardItem, queryQueue, retryItem } from "@turnpike/queue";
import { createLog } from "@turnpike/telemetry";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { mailQueue, purgeOutbox, queueMail } from "./mail-queue.ts";
import { openMailWorker } from "./open-mail-worker.ts";
import { type Mailer, RefusedMail } from "./open-mailer.ts";

let database: TestDatabase;
let connection: Connection;
beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase({ url: database.url });
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});
beforeEach(async () => {
  await connection.sql`delete from outbox`;
});

const message = { kind: "verify_email", link: "https://t.example/?token=abc", hours: 24 } as const;

async function queue(...names: string[]): Promise<void> {
  for (const name of names) await queueMail(connection.db, `${name}@example.com`, message);
}

/** Sends all that is due. Resolves with the results that were counted. */
async function work(send: Mailer["send"], keepMessages = false): Promise<string[]> {
  const results: string[] = [];
  const mailer = { send, verify: async () => undefined, close: () => undefined };
  const worker = openMailWorker(connection.db, mailer, {
    brand: { productName: "Turnpike", publicUrl: "https://turnpike.example", supportEmail: "" },
    log: createLog({ level: "silent", name: "test" }),
    metrics: { countMail: (result) => void results.push(result) },
    keepMessages,
  });
  await worker.idle();
  return results.toSorted();
}

const makeDue = () => connection.sql`update outbox set send_after = now()`;

async function rowOf(name: string) {
  const [row] = await connection.sql`
    select id, attempts, message, sent_at is not null as sent, failed_at is not null as failed,
           last_error as error, extract(epoch from send_after - now())::float8 as wait
      from outbox where recipient = ${`${name}@example.com`}`;
  if (row === undefined) throw new Error(`no mail to ${name}`);
  return row;
}

test("a mail exists only if the transaction that causes it commits", async () => {
  const rolledBack = connection.db.transaction(async (tx) => {
    await queueMail(tx, "nobody@example.com", message);
    throw new Error("rolled back");
  });
  await expect(rolledBack).rejects.toThrow("rolled back");
  await connection.db.transaction((tx) => queueMail(tx, "somebody@example.com", message));
  const rows = await connection.sql`select recipient from outbox`;
  expect(rows.map(({ recipient }) => recipient)).toEqual(["somebody@example.com"]);
});

test("everything that is due is sent, and one bad mail stops none of the others", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `person-${index}`);
  await queue(...names);
  const results = await work(async ({ to }) => {
    if (to === "person-3@example.com") throw new Error("connection reset");
  });
  expect(results).toEqual(["retried", ...Array(11).fill("sent")]);
  expect(await rowOf("person-3")).toMatchObject({
    attempts: 1,
    message,
    error: "connection reset",
  });
  expect(await rowOf("person-4")).toMatchObject({ sent: true, error: null });
});

test("FS5: a mail is tried eight times within a day with growing pauses, then given up", async () => {
  await queue("patient");
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 8; attempt += 1) {
    const results = await work(async () => {
      throw new Error("ECONNREFUSED");
    });
    expect(results).toEqual([attempt === 8 ? "given_up" : "retried"]);
    waits.push((await rowOf("patient")).wait);
    await makeDue();
  }
  const pauses = waits.slice(0, 7);
  for (const [at, pause] of mailQueue.retryAfterSeconds.entries()) {
    expect(pauses[at]).toBeGreaterThan(pause - 30);
    expect(pauses[at]).toBeLessThanOrEqual(pause * 1.1);
  }
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect(pauses.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(24 * 3_600);
  expect(await rowOf("patient")).toMatchObject({
    attempts: 8,
    failed: true,
    error: "ECONNREFUSED",
  });
  expect(await work(async () => undefined)).toEqual([]);
});

test("FS6: a refused mail is given up immediately", async () => {
  await queue("unknown");
  const results = await work(async () => {
    throw new RefusedMail("550 no such user");
  });
  expect(results).toEqual(["given_up"]);
  expect(await rowOf("unknown")).toMatchObject({ failed: true, error: "550 no such user" });
});

test.each([false, true])("a mail that was sent or given up keeps its link: %p", async (keeps) => {
  await queue("sent", "refused");
  const send: Mailer["send"] = async ({ to }) => {
    if (to.startsWith("refused")) throw new RefusedMail("550 no such user");
  };
  expect(await work(send, keeps)).toEqual(["given_up", "sent"]);
  for (const name of ["sent", "refused"]) {
    expect((await rowOf(name)).message).toEqual(keeps ? message : { kind: "verify_email" });
  }
});

test("a mail that failed is shown with why, sent again when asked, and empty once it is discarded", async () => {
  const { db } = connection;
  await queue("late", "unwanted", "sent");
  await work(async ({ to }) => {
    if (!to.startsWith("sent")) throw new Error("451 try later");
  });
  await queue("new");
  const [late, unwanted, sent] = [
    await rowOf("late"),
    await rowOf("unwanted"),
    await rowOf("sent"),
  ];
  const before = await queryQueue(db, mailQueue);
  expect(before).toMatchObject({ waiting: 3, givenUp: 0 });
  const shown = before.rows.map(({ id, kind, error }) => [id, kind, error]);
  expect(shown.toSorted()).toEqual(
    [late, unwanted].map(({ id }) => [id, "verify_email", "451 try later"]).toSorted(),
  );

  const facts = { id: late.id, recipient: "late@example.com", kind: "verify_email" };
  expect(await retryItem(db, mailQueue, [late.id])).toEqual(facts);
  await discardItem(db, mailQueue, [unwanted.id]);
  expect(await work(async () => undefined)).toEqual(["sent", "sent"]);
  const after = await queryQueue(db, mailQueue);
  expect(after).toMatchObject({ waiting: 0, givenUp: 1 });
  expect(after.rows).toMatchObject([
    { id: unwanted.id, error: "discarded by an operator", nextAttemptAt: null },
  ]);
  expect((await rowOf("unwanted")).message).toEqual({ kind: "verify_email" });
  for (const over of [unwanted, sent]) {
    const refused = await retryItem(db, mailQueue, [over.id]).catch((thrown: unknown) => thrown);
    expect(refused).toMatchObject({ code: "not_found" });
  }
});

test("after thirty days finished mails are deleted and waiting ones are kept", async () => {
  await queue("sent", "waiting");
  await work(async ({ to }) => {
    if (to.startsWith("waiting")) throw new Error("451 try later");
  });
  await connection.sql`
    update outbox set sent_at = sent_at - interval '31 days',
           created_at = created_at - interval '31 days'`;
  await purgeOutbox(connection.db);
  const rows = await connection.sql`select recipient from outbox`;
  expect(rows.map(({ recipient }) => recipient)).toEqual(["waiting@example.com"]);
});
