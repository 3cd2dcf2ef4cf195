// Deleting stored answers that have expired, against PostgreSQL: every call of `/v1/responses` leaves some, so an
// hour's worth is more than one statement may delete.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { type AccountId, newId } from "@turnpike/base";
import type { Connection } from "@turnpike/db";
import { openTestAnswers, type TestAnswers } from "./open-test-answers.fixture.ts";
import { purgeAnswers } from "./stored-answers.ts";

let answers: TestAnswers;
let owner: Connection;
let app: Connection;
let accountId: AccountId;

beforeAll(async () => {
  answers = await openTestAnswers();
  ({ owner, app } = answers);
  accountId = await answers.newAccount();
});
afterAll(() => answers.close());
beforeEach(async () => {
  await owner.sql`delete from stored_answers`;
});

/** Rows with the names 1 to `count`. */
const insertExpired = (count: number) => owner.sql`
  insert into stored_answers (id, account_id, request_hash, generation_id, instance_id, expires_at)
  select int4send(n), ${accountId}, '', ${newId()}, ${newId()}, now() - interval '1 minute'
    from generate_series(1, ${count}::int) n`;

const readNames = async () => {
  const rows = await owner.sql<{ id: Buffer }[]>`select id from stored_answers order by id`;
  return rows.map(({ id }) => id.readInt32BE());
};

test("expired answers are deleted in pieces: one that fails leaves the others deleted", async () => {
  await insertExpired(7);
  await owner.sql.unsafe(`
    create function refuse_last() returns trigger language plpgsql as $$
    begin
      if (select count(*) from stored_answers) = 1 then raise exception 'refused'; end if;
      return old;
    end $$;
    create trigger refuse_last before delete on stored_answers
      for each row execute function refuse_last()`);
  try {
    const failed = await purgeAnswers(app.sql, 2).catch((error: unknown) => error);
    expect(failed).toMatchObject({ message: "refused" });
    expect(await readNames()).toHaveLength(1);
  } finally {
    await owner.sql`drop function refuse_last cascade`;
  }
  await purgeAnswers(app.sql, 2);
  expect(await readNames()).toEqual([]);
});

test("a row that is being stored again does not hold up the deletion of others", async () => {
  await insertExpired(3);
  await owner.sql.begin(async (sql) => {
    await sql`update stored_answers set expires_at = now() + interval '1 day' where id = int4send(2)`;
    await purgeAnswers(app.sql);
  });
  expect(await readNames()).toEqual([2]);
});
