// Shared conversations: sealed, bounded, read by the account they belong to, removed by those who may.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type AccountId, createSealer, newId, type PersonId } from "@turnpike/base";
import { type Connection, connectDatabase, operator } from "@turnpike/db";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import {
  listShared,
  queryShared,
  removeShared,
  type Sharer,
  shareConversation,
  sharedBytesMax,
} from "./index.ts";

const sealer = createSealer(["the sealing key of the tests of conversations"]);
let database: TestDatabase;
let owner: Connection;
let app: Connection;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = connectDatabase({ url: database.ownerUrl, max: 2 });
  app = connectDatabase({ url: database.url, max: 4 });
});
afterAll(async () => {
  await Promise.all([owner.close(), app.close()]);
  await database.drop();
});

async function newSharer(accountId?: AccountId): Promise<Sharer> {
  const personId = newId<PersonId>();
  const email = `${personId}@example.com`;
  await owner.sql`insert into persons (id, email, password_hash) values (${personId}, ${email}, 'hash')`;
  const account = accountId ?? newId<AccountId>();
  if (accountId === undefined) {
    await owner.sql`insert into accounts (id, name) values (${account}, ${account})`;
  }
  return { accountId: account, personId, managesAccount: false, by: operator, sealer };
}

const talk = { title: "About whales", content: '{"said":"a secret"}' };

test("a conversation is read by others of its account and by no other account; the table shows neither title nor text", async () => {
  const ada = await newSharer();
  const id = await shareConversation(app.db, ada, talk);
  const bob = await newSharer(ada.accountId);
  expect(await listShared(app.db, bob)).toEqual([
    {
      id,
      title: "About whales",
      mayRemove: false,
      sharedBy: `${ada.personId}@example.com`,
      sharedAt: expect.any(Date),
    },
  ]);
  expect(await queryShared(app.db, bob, id)).toMatchObject(talk);
  const eve = await newSharer();
  expect(await listShared(app.db, eve)).toEqual([]);
  expect(queryShared(app.db, eve, id)).rejects.toMatchObject({ code: "not_found" });
  const [row] = await owner.sql`
    select encode(sealed, 'escape') || encode(sealed_title, 'escape') as text
      from shared_conversations where account_id = ${ada.accountId}`;
  expect(row?.text).not.toMatch(/whales|secret/);
});

test("its author and who manages the account remove it, others do not", async () => {
  const ada = await newSharer();
  const ids = [
    await shareConversation(app.db, ada, talk),
    await shareConversation(app.db, ada, talk),
  ];
  const [first = ids[1], second = ids[0]] = ids;
  if (first === undefined || second === undefined) throw new Error("two were shared");
  const bob = await newSharer(ada.accountId);
  expect(removeShared(app.db, bob, first)).rejects.toMatchObject({ code: "permission_denied" });
  expect(await listShared(app.db, ada)).toHaveLength(2);
  await removeShared(app.db, ada, first);
  await removeShared(app.db, { ...bob, managesAccount: true }, second);
  expect(await listShared(app.db, ada)).toEqual([]);
  expect(removeShared(app.db, ada, first)).rejects.toMatchObject({ code: "not_found" });
  const rows = await owner.sql`
    select action, object_name from audit_log where account_id = ${ada.accountId} order by id`;
  expect(rows.map(({ action }) => action)).toEqual([
    "conversation.share",
    "conversation.share",
    "conversation.remove",
    "conversation.remove",
  ]);
  expect(rows.every(({ object_name }) => object_name === "")).toBe(true);
});

test("it has at most 1 MB in UTF-8, and an account at most 200 of them", async () => {
  const ada = await newSharer();
  const share = (content: string) => shareConversation(app.db, ada, { title: "x", content });
  await share("é".repeat(sharedBytesMax / 2));
  expect(share(`${"é".repeat(sharedBytesMax / 2)}x`)).rejects.toMatchObject({
    code: "string_above_max_length",
    message: "A shared conversation has at most 1 MB, images included. Remove some of them.",
  });
  await owner.sql`
    insert into shared_conversations (account_id, id, person_id, sealed_title, sealed)
    select ${ada.accountId}, gen_random_uuid(), ${ada.personId}, '', '' from generate_series(1, 198)`;
  // Two at once: the last place is taken once.
  const both = await Promise.allSettled([share("{}"), share("{}")]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(share("{}")).rejects.toMatchObject({ code: "conflict" });
});

test("an account has at most 32 MB of them", async () => {
  const ada = await newSharer();
  await owner.sql`
    insert into shared_conversations (account_id, id, person_id, sealed_title, sealed)
    select ${ada.accountId}, gen_random_uuid(), ${ada.personId}, '', convert_to(repeat('x', 1048576), 'UTF8')
      from generate_series(1, 31)`;
  const share = (content: string) => shareConversation(app.db, ada, { title: "x", content });
  await share("x".repeat(1_000_000));
  await expect(share("x".repeat(100_000))).rejects.toMatchObject({ code: "conflict" });
  await share("{}");
});

test("a title that another key sealed hides no other, and without a key nothing is shared", async () => {
  const ada = await newSharer();
  const other = createSealer(["another sealing key of these tests"]);
  const lost = await shareConversation(app.db, { ...ada, sealer: other }, talk);
  await shareConversation(app.db, ada, talk);
  const titles = (await listShared(app.db, ada)).map(({ title }) => title);
  expect(titles).toEqual(["About whales", null]);
  expect(queryShared(app.db, ada, lost)).rejects.toThrow("SEALING_KEY does not open");
  expect(shareConversation(app.db, { ...ada, sealer: undefined }, talk)).rejects.toMatchObject({
    code: "conflict",
  });
});

test("a closed account gets no more", async () => {
  const ada = await newSharer();
  await owner.sql`update accounts set closed_at = now() where id = ${ada.accountId}`;
  expect(shareConversation(app.db, ada, talk)).rejects.toMatchObject({ code: "not_found" });
});
