// Members who act at the moment at which they lose the right to: whatever comes first, nothing of theirs remains that
// the loss should have prevented, and what an account may have at most is counted exactly.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ManagementKeyId, newId } from "@turnpike/base";
import { connectDatabase } from "@turnpike/db";
import type { Role } from "@turnpike/terms";
import { untilWaiting } from "@turnpike/testing";
import { type ActingMember, authenticate, authenticateColleague } from "./acting-member.fixture.ts";
import { callProcedure, openTestApi, type TestApi } from "./open-test-api.fixture.ts";

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

async function openAccount() {
  const founder = await api.addMember();
  const add = (role: Role) => authenticateColleague(api, founder, role);
  return { accountId: founder.accountId, add, owner: await authenticate(api, founder) };
}

const call = ({ context }: ActingMember, name: string, input?: unknown) =>
  callProcedure(name, context, input);

const times = <Result>(count: number, of: (index: number) => Result): Result[] =>
  Array.from({ length: count }, (_, index) => of(index));

test("an admin who repeats their own promotion does not undo their demotion", async () => {
  for (let round = 0; round < 10; round += 1) {
    const { accountId, add, owner } = await openAccount();
    const admin = await add("admin");
    const { personId } = admin;
    const [demotion] = await Promise.all([
      call(owner, "members.changeRole", { personId, role: "developer" }),
      ...times(9, () => call(admin, "members.changeRole", { personId, role: "admin" })),
    ]);
    expect(demotion?.ok).toBe(true);
    const [member] = await api.sql`
      select role from memberships where account_id = ${accountId} and person_id = ${personId}`;
    expect([round, member?.role]).toEqual([round, "developer"]);
  }
});

test("no invitation survives the removal of the admin who sent it", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { accountId, add, owner } = await openAccount();
    const admin = await add("admin");
    const { personId } = admin;
    const [removal] = await Promise.all([
      call(owner, "members.remove", { personId, keys: "revoke" }),
      ...times(50, (n) =>
        call(admin, "invitations.create", { email: `invited-${n}@example.com`, role: "admin" }),
      ),
    ]);
    expect(removal?.ok).toBe(true);
    const [open] = await api.sql`
      select count(*)::int as count from invitations
       where account_id = ${accountId} and invited_by = ${personId}
         and revoked_at is null and accepted_at is null`;
    expect([round, open?.count]).toEqual([round, 0]);
  }
});

test("no key that is made for a member survives their removal with their keys", async () => {
  for (let round = 0; round < 5; round += 1) {
    const { accountId, add, owner } = await openAccount();
    const [admin, developer] = [await add("admin"), await add("developer")];
    const { personId: memberId } = developer;
    const [removal] = await Promise.all([
      call(owner, "members.remove", { personId: memberId, keys: "revoke" }),
      ...times(20, (n) =>
        call(admin, "keys.create", { name: `key ${n}`, memberId, attemptId: newId() }),
      ),
    ]);
    expect(removal?.ok).toBe(true);
    const [live] = await api.sql`
      select count(*)::int as count from api_keys
       where account_id = ${accountId} and created_by = ${memberId} and revoked_at is null`;
    expect([round, live?.count]).toEqual([round, 0]);
  }
});

test.each(["sessions.endAll", "sessions.end"])(
  "%s waits for what is being made in the session, and nothing is made after it",
  async (end) => {
    const { accountId, add } = await openAccount();
    const admin = await add("admin");
    const create = (name: string) => call(admin, "keys.create", { name, attemptId: newId() });
    const id = end === "sessions.end" ? { id: admin.context.authenticated?.session.publicId } : {};
    const release = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    // The default project, which a key is made in once its maker was found to be allowed to.
    const holding = api.owner.sql.begin(async (sql) => {
      await sql`select 1 from projects where id = ${accountId} for update`;
      held.resolve();
      await release.promise;
    });
    await held.promise;
    const created = create("in the session");
    await untilWaiting(api.sql);
    let hasEnded = false;
    const over = call(admin, end, id).finally(() => {
      hasEnded = true;
    });
    await untilWaiting(api.sql, { count: 2, over });
    expect(hasEnded).toBe(false);
    release.resolve();
    const [, ...outcomes] = await Promise.all([holding, created, over]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true]);
    expect(await create("after it")).toMatchObject({ ok: false, fault: "unauthenticated" });
  },
);

test("a slug that is changed undoes no change of the name since its request began", async () => {
  const { accountId, add, owner } = await openAccount();
  const admin = await add("admin");
  expect((await call(owner, "accounts.change", { name: "A new name" })).ok).toBe(true);
  expect((await call(admin, "accounts.change", { slug: `s-${accountId.slice(-12)}` })).ok).toBe(
    true,
  );
  const [row] = await api.sql`select name, slug from accounts where id = ${accountId}`;
  expect({ ...row }).toEqual({ name: "A new name", slug: `s-${accountId.slice(-12)}` });
});

test("a session that has ended founds no organization", async () => {
  const { add } = await openAccount();
  const admin = await add("admin");
  expect((await call(admin, "sessions.endAll")).ok).toBe(true);
  const founded = await call(admin, "accounts.create", { name: "Late" });
  expect(founded).toMatchObject({ ok: false, fault: "unauthenticated" });
});

test("a management key changes nothing once it has expired or its account is suspended", async () => {
  const { accountId, owner } = await openAccount();
  const { account, authenticated } = owner.context;
  if (account === undefined || authenticated === undefined) throw new Error("not signed in");
  const id = newId<ManagementKeyId>();
  await api.owner.sql`
    insert into management_keys (account_id, id, name, hash, masked, permissions, created_by)
    values (${accountId}, ${id}, 'stopping', sha256('stopping'), 'sk-tpm-…', '{keys.change}', ${owner.personId})`;
  const managementKey = { id, name: "stopping", permissions: ["keys.change"] };
  const { person } = authenticated;
  const context = { ...owner.context, managementKey: { ...managementKey, account, person } };
  const create = () =>
    call({ ...owner, context }, "keys.create", { name: "by a key", attemptId: newId() });
  expect((await create()).ok).toBe(true);
  await api.owner.sql`update accounts set suspended_at = now() where id = ${accountId}`;
  expect(await create()).toMatchObject({ ok: false, fault: "account_suspended" });
  await api.owner.sql`update accounts set suspended_at = null where id = ${accountId}`;
  await api.owner.sql`update management_keys set expires_at = now() where id = ${id}`;
  expect(await create()).toMatchObject({ ok: false, fault: "key_expired" });
});

test("a change that waits too long for another one says so, and what to do", async () => {
  const { accountId, owner } = await openAccount();
  const impatient = connectDatabase({ url: api.url, lockTimeoutMs: 1 });
  const context = { ...owner.context, db: impatient.db };
  let outcome: unknown;
  await api.owner.sql.begin(async (sql) => {
    await sql`
      select 1 from memberships where account_id = ${accountId} and person_id = ${owner.personId}
         for update`;
    outcome = await call({ ...owner, context }, "budgets.setTimeZone", { timeZone: "UTC" });
  });
  await impatient.close();
  expect(outcome).toMatchObject({ ok: false, fault: "overloaded" });
});

test("the most that an account may have of something is kept by requests at the same moment", async () => {
  const { accountId, owner } = await openAccount();
  const creator = owner.personId;
  await api.owner.sql`
    insert into management_keys (account_id, id, name, hash, masked, permissions, created_by)
    select ${accountId}, gen_random_uuid(), 'many', sha256(n::text::bytea), 'sk-tpm-…',
           '{keys.read}', ${creator} from generate_series(1, 96) n`;
  const held = Number(
    (await api.sql`select count(*) from management_keys where account_id = ${accountId}`)[0]?.count,
  );
  const made = await Promise.all(
    times(6, (n) =>
      call(owner, "managementKeys.create", {
        name: `key ${n}`,
        permissions: ["keys.read"],
        attemptId: newId(),
      }),
    ),
  );
  expect(made.filter(({ ok }) => ok)).toHaveLength(100 - held);
  const added = await Promise.all(
    times(30, (n) => call(owner, "domains.add", { domain: `walker-${n}.example` })),
  );
  // The account of the fixture has one.
  expect(added.filter(({ ok }) => ok)).toHaveLength(19);
});
