// The outbox under several workers: a mail is claimed by one, becomes available again when that one
// dies, and keeps no secret once it was sent or given up.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { type Connection, connectDatabase } from "@turnpike/db";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { openOutboxStore, purgeOutbox } from "./outbox-store.ts";
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
beforeEach(async () => {
  await connection.sql`delete from outbox`;
});

const message = { kind: "verify_email", link: "https://t.example/?token=abc", hours: 24 } as const;

async function queue(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    await queueMail(connection.db, `person-${n}@example.com`, message);
  }
}

function store(keepMessages = true) {
  return openOutboxStore(connection.db, { keepMessages });
}

test("a mail is read back as it was queued", async () => {
  await queue(1);
  const [mail] = await store().claim(5);
  expect(mail).toMatchObject({ recipient: "person-0@example.com", message, attempts: 1 });
});

test("no mail is claimed by two workers, however many claim at once", async () => {
  await queue(20);
  const claims = await Promise.all(Array.from({ length: 8 }, () => store().claim(5)));
  const ids = claims.flat().map(({ id }) => id);
  expect(ids).toHaveLength(20);
  expect(new Set(ids).size).toBe(20);
});

test("a claim whose worker dies expires, and counts as an attempt", async () => {
  await queue(1);
  expect(await store().claim(5)).toHaveLength(1);
  expect(await store().claim(5)).toHaveLength(0);
  await connection.sql`update outbox set send_after = now() - interval '1 second'`;
  expect((await store().claim(5))[0]?.attempts).toBe(2);
});

test("a retry waits for the given delay", async () => {
  await queue(1);
  const [mail] = await store().claim(5);
  await store().noteRetry(mail?.id ?? "", "x".repeat(10_000), 60_000);
  const [row] = await connection.sql`
    select extract(epoch from send_after - now()) as wait, length(last_error) as length from outbox`;
  expect(Number(row?.wait)).toBeGreaterThan(50);
  expect(Number(row?.wait)).toBeLessThanOrEqual(60);
  expect(row?.length).toBe(500);
});

test("a mail that was sent or given up is never claimed again, and its link is erased unless messages are kept", async () => {
  await queue(4);
  const [sent, failed, keptSent, keptFailed] = await store().claim(5);
  await store(false).noteSent(sent?.id ?? "");
  await store(false).noteFailed(failed?.id ?? "", "550 no such user");
  await store(true).noteSent(keptSent?.id ?? "");
  await store(true).noteFailed(keptFailed?.id ?? "", "550 no such user");
  await connection.sql`update outbox set send_after = now() - interval '1 second'`;
  expect(await store().claim(5)).toHaveLength(0);
  const messageOf = async (id = "") =>
    (await connection.sql`select message from outbox where id = ${id}`)[0]?.message;
  expect(await messageOf(sent?.id)).toEqual({ kind: "verify_email" });
  expect(await messageOf(failed?.id)).toEqual({ kind: "verify_email" });
  expect(await messageOf(keptSent?.id)).toEqual(message);
  expect(await messageOf(keptFailed?.id)).toEqual(message);
});

test("after thirty days finished mails are deleted and waiting ones are kept", async () => {
  await queue(2);
  const [sent] = await store().claim(1);
  await store().noteSent(sent?.id ?? "");
  await connection.sql`
    update outbox set sent_at = sent_at - interval '31 days',
           created_at = created_at - interval '31 days'`;
  await purgeOutbox(connection.db);
  const rows = await connection.sql`select sent_at from outbox`;
  expect([...rows]).toEqual([{ sent_at: null }]);
});
