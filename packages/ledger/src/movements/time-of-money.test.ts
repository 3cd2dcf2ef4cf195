// When money moved is what the database's clock said: no id and no date of the server's role puts a movement into
// another month, where its journal would not have it.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "@turnpike/base";
import { openTestBooks, type TestBooks } from "../open-test-books.fixture.ts";

let books: TestBooks;
beforeAll(async () => {
  books = await openTestBooks();
});
afterAll(async () => {
  expect(await books.check()).toEqual([]);
  await books.close();
});

/** Of 1998. */
const longAgo = "00d00000-0000-7000-8000-000000000000";

/** Transactions whose id is of another time than their row, or of another time than now. */
async function findMisdated(): Promise<readonly unknown[]> {
  return books.owner.sql`
    select idempotency_key from ledger_transactions
     where id < uuid7_floor(created_at) or id >= uuid7_floor(created_at + interval '1 millisecond')
        or created_at < now() - interval '10 minutes' or created_at > clock_timestamp()`;
}

test("a credit under an id of long ago is posted now, and its order is placed and paid now", async () => {
  const { accountId } = await books.newPrincipal(0n);
  const id = newId();
  const dates = "'1998-01-01'";
  await books.app.sql.begin(async (sql) => {
    await sql.unsafe(
      `insert into top_ups (id, account_id, amount_nanos, processor, checkout_session_id, created_at)
       values ('${id}', '${accountId}', 500, 'stripe', 'cs_dated', ${dates})`,
    );
    await sql.unsafe(
      `select * from post_movement('${longAgo}', 'top_up', 'stripe:pi_dated', 'r', 'stripe',
         '${accountId}', 500, 'stripe_clearing')`,
    );
    await sql.unsafe(
      `update top_ups set state = 'paid', credited_nanos = 500, payment_intent_id = 'pi_dated',
         paid_at = ${dates} where id = '${id}'`,
    );
    await sql.unsafe(`update top_ups set paid_at = ${dates} where id = '${id}'`);
  });
  expect(await findMisdated()).toEqual([]);
  const [order] = await books.owner.sql`
    select o.paid_at = t.created_at as "isPaidWithIt", o.created_at > now() - interval '10 minutes' as "isNew"
      from top_ups o join ledger_transactions t on t.idempotency_key = 'stripe:pi_dated'
     where o.id = ${id}`;
  expect(order).toEqual({ isPaidWithIt: true, isNew: true });
});
