// Members who act at the moment at which they lose the right to: whatever comes first, nothing of theirs remains that
// the loss should have prevented, and what an account may have at most is counted exactly.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId, type PersonId } from "@turnpike/base";
import type { Role } from "@turnpike/db";
import type { ApiContext } from "./context.ts";
import { callProcedure, type Member, openTestApi, type TestApi } from "./open-test-api.fixture.ts";

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

type Acting = Member & { readonly context: ApiContext; readonly personId: PersonId };

async function openAccount() {
  const founder = await api.addMember();
  const { accountId } = founder;
  const [row] = await api.sql<{ slug: string }[]>`
    select slug from accounts where id = ${accountId}`;
  const act = async (member: Member): Promise<Acting> => {
    const context = await api.contextOf(member, row?.slug);
    const personId = context.authenticated?.person.id;
    if (personId === undefined) throw new Error("not signed in");
    return { ...member, context, personId };
  };
  const add = async (role: Role) => act(await api.addColleague(founder, role));
  return { accountId, add, owner: await act(founder) };
}

const call = ({ context }: Acting, name: string, input?: unknown) =>
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
  "nothing is made in a session after %s",
  async (end) => {
    const { accountId, add } = await openAccount();
    const admin = await add("admin");
    const countKeys = async () =>
      Number(
        (await api.sql`select count(*) from api_keys where account_id = ${accountId}`)[0]?.count,
      );
    const made = times(20, (n) =>
      call(admin, "keys.create", { name: `key ${n}`, attemptId: newId() }),
    );
    const id = end === "sessions.end" ? { id: admin.context.authenticated?.session.publicId } : {};
    expect((await call(admin, end, id)).ok).toBe(true);
    const atTheEnd = await countKeys();
    await Promise.all(made);
    expect(await countKeys()).toBe(atTheEnd);
  },
);

test("the most that an account may have of something is kept by requests at the same moment", async () => {
  const { accountId, owner } = await openAccount();
  const creator = owner.personId;
  await api.owner.sql`
    insert into management_keys (account_id, id, name, hash, masked, permissions, created_by)
    select ${accountId}, gen_random_uuid(), 'many', sha256(n::text::bytea), 'sk-tpm-…',
           '{keys.read}', ${creator} from generate_series(1, 94) n`;
  const held = Number(
    (await api.sql`select count(*) from management_keys where account_id = ${accountId}`)[0]?.count,
  );
  const made = await Promise.all(
    times(15, (n) =>
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
