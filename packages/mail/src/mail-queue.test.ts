// The queue of mails as operators change it: what waits can be sent at once or given up, and what is over stays so.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Connection, connectDatabase } from "@turnpike/db";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { discardMail, readMailQueue, retryMail } from "./mail-queue.ts";
import { openOutboxStore } from "./outbox-store.ts";
import { queueMail } from "./queue-mail.ts";

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

const message = { kind: "verify_email", link: "https://t.example/?token=abc", hours: 24 } as const;

test("a mail that failed is shown with why, sent again when asked, and empty once it is discarded", async () => {
  const { db, sql } = connection;
  const store = openOutboxStore(db, { keepMessages: false });
  for (const name of ["late", "unwanted", "sent", "new"]) {
    await queueMail(db, `${name}@example.com`, message);
  }
  const claimed = await store.claim(3);
  const idOf = (name: string) => claimed.find((mail) => mail.recipient.startsWith(name))?.id;
  const [late, unwanted, sent] = ["late", "unwanted", "sent"].map(idOf);
  if (late === undefined || unwanted === undefined || sent === undefined) throw new Error("none");
  await store.noteRetry(late, "451 try later", 3_600_000);
  await store.noteRetry(unwanted, "451 try later", 7_200_000);
  await store.noteSent(sent);

  const before = await readMailQueue(db);
  expect(before).toMatchObject({ waiting: 3, failed: 0 });
  expect(before.rows.map(({ id, kind, error }) => [id, kind, error])).toEqual([
    [late, "verify_email", "451 try later"],
    [unwanted, "verify_email", "451 try later"],
  ]);

  expect(await retryMail(db, late)).toEqual({ recipient: "late@example.com" });
  expect((await store.claim(5)).map(({ id }) => id)).toContain(late);
  await discardMail(db, unwanted);
  const after = await readMailQueue(db);
  expect(after).toMatchObject({ waiting: 2, failed: 1 });
  expect(after.rows.at(-1)).toMatchObject({ id: unwanted, error: "discarded by an operator" });
  const [row] = await sql`select message from outbox where id = ${unwanted}`;
  expect(row?.message).toEqual({ kind: "verify_email" });
  for (const over of [unwanted, sent]) {
    const refused = await retryMail(db, over).catch((thrown: unknown) => thrown);
    expect(refused).toMatchObject({ code: "not_found" });
  }
});
