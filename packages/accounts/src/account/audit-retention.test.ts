// The audit log is append-only for everyone until its account no longer keeps a row: then a job deletes it, in
// slices, and nothing else.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { errorCodeOf, purgeAudit, recordAudit } from "@turnpike/db";
import {
  faultCodeOf,
  openTestAccounts,
  type TestAccounts,
  testAddress,
} from "../open-test-accounts.fixture.ts";
import { queryAuditRetention, setAuditRetention } from "./audit-retention.ts";

let bed: TestAccounts;

beforeAll(async () => {
  bed = await openTestAccounts();
});
afterAll(() => bed.close());

async function newMember() {
  const { person, account } = await bed.signUp();
  return { person, account, address: testAddress };
}
type Member = Awaited<ReturnType<typeof newMember>>;

/** Rows of that age, which only the owner of the tables can backdate. */
async function addRows({ account }: Member, count: number, days: number) {
  await bed.owner.sql`
    insert into audit_log (account_id, at, actor_kind, actor_name, action)
    select ${account.id}, now() - make_interval(days => ${days}), 'operator', '', 'test.row'
      from generate_series(1, ${count})`;
}

async function countRows({ account }: Member): Promise<number> {
  const [row] = await bed.sql<{ count: number }[]>`
    select count(*)::int as count from audit_log where account_id = ${account.id} and action = 'test.row'`;
  return row?.count ?? 0;
}

async function codeOf(query: PromiseLike<unknown>): Promise<string | undefined> {
  try {
    await query;
    return "done";
  } catch (error) {
    return errorCodeOf(error);
  }
}

const restricted = "23001";
const noPrivilege = "42501";

test("nobody can change or delete a row: not the server's role, not the owner of the tables", async () => {
  const ada = await newMember();
  await addRows(ada, 1, 4_000);
  await bed.sql`insert into person_events (person_id, kind) values (${ada.person.id}, 'sign_in')`;
  for (const [sql, code] of [
    [bed.sql, noPrivilege],
    [bed.owner.sql, restricted],
  ] as const) {
    expect(await codeOf(sql`delete from audit_log where account_id = ${ada.account.id}`)).toBe(
      code,
    );
    expect(await codeOf(sql`update audit_log set action = 'other'`)).toBe(code);
    expect(await codeOf(sql`truncate audit_log`)).toBe(code);
    expect(await codeOf(sql`delete from person_events`)).toBe(code);
    expect(await codeOf(sql`update person_events set kind = 'sign_out'`)).toBe(code);
    expect(await codeOf(sql`truncate person_events`)).toBe(code);
  }
  await purgeAudit(bed.db);
  expect(await countRows(ada)).toBe(1);
});

test("the job deletes what an account no longer keeps, in slices, and no row of another account", async () => {
  const ada = await newMember();
  const eve = await newMember();
  for (const member of [ada, eve]) {
    await addRows(member, 25, 120);
    await addRows(member, 3, 80);
  }
  await setAuditRetention(bed.db, ada, 90);
  // Slices of ten: 10, 10, 5, and none.
  expect(await purgeAudit(bed.db, 10)).toBe(25);
  expect(await countRows(ada)).toBe(3);
  expect(await countRows(eve)).toBe(28);
  expect(await purgeAudit(bed.db, 10)).toBe(0);
  const own = bed.owner.sql`delete from audit_log where account_id = ${ada.account.id}`;
  expect(await codeOf(own)).toBe(restricted);
});

test("two jobs at the same time delete each row once", async () => {
  const ada = await newMember();
  await addRows(ada, 60, 200);
  await setAuditRetention(bed.db, ada, 100);
  const deleted = await Promise.all([purgeAudit(bed.db, 7), purgeAudit(bed.db, 7)]);
  expect(await countRows(ada)).toBe(0);
  expect(deleted[0] + deleted[1]).toBe(60);
});

test("less than 90 days is refused, by the database too, and a change leaves a row", async () => {
  const ada = await newMember();
  for (const days of [0, 1, 89, 3_651]) {
    expect(await faultCodeOf(setAuditRetention(bed.db, ada, days))).toBe("invalid_value");
  }
  const id = ada.account.id;
  const forced = bed.owner.sql`update accounts set audit_retention_days = 89 where id = ${id}`;
  expect(await codeOf(forced)).toBe("23514");
  await setAuditRetention(bed.db, ada, 90);
  await setAuditRetention(bed.db, ada, null);
  expect(await queryAuditRetention(bed.db, ada)).toBeNull();
  const rows = await bed.sql`
    select changes from audit_log
     where account_id = ${id} and action = 'account.set_audit_retention' order by id`;
  expect(rows.map(({ changes }) => changes)).toEqual([
    { days: [null, "90"] },
    { days: ["90", null] },
  ]);
});

test("events of a person are kept for 400 days", async () => {
  const ada = await newMember();
  await bed.owner.sql`
    insert into person_events (person_id, at, kind)
    select ${ada.person.id}, now() - make_interval(days => age), 'sign_in'
      from unnest(array[399, 401, 500]) age`;
  await purgeAudit(bed.db);
  const [row] = await bed.sql`
    select count(*)::int as count from person_events where person_id = ${ada.person.id}`;
  expect(row?.count).toBe(1);
  await recordAudit(bed.db, {
    accountId: ada.account.id,
    by: { kind: "operator", name: "" },
    action: "test.row",
  });
  expect(await countRows(ada)).toBe(1);
});
