// What is under way while a person is deleted or a member removed: it comes before and is undone with everything
// else, or it is refused; nothing is left that names someone who is gone.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  acceptInvitation,
  auditActorOf,
  chooseAccount,
  createOrganization,
  holdMembership,
  inviteMember,
  type Member,
  removeMember,
  requireAccount,
  updateProfile,
} from "@turnpike/accounts";
import { type AccountId, type ApiKeyId, newId, type PersonId } from "@turnpike/base";
import { guardTransactions } from "@turnpike/db";
import { mintApiKey, revokeMemberKeys } from "@turnpike/keys";
import { untilWaiting } from "@turnpike/testing";
import { beginTotp } from "../factor/enroll-totp.ts";
import { callerAt, faultCodeOf, openTestAuth, type TestAuth } from "../open-test-auth.fixture.ts";
import { logIn } from "../session/log-in.ts";
import { deleteDuePersons, requestDeletion } from "./delete-person.ts";

let bed: TestAuth;
const caller = callerAt("203.0.113.61");

beforeAll(async () => {
  bed = await openTestAuth();
});
afterAll(() => bed.close());

type SignedUp = Awaited<ReturnType<TestAuth["signUp"]>>;

const actorOf = ({ authenticated: { person } }: SignedUp) => ({ person, address: "" });

/** Deletes the person; `act` begins while they are locked, and ends after. Returns how. */
async function deleteWhile(ada: SignedUp, act: () => Promise<unknown>): Promise<string> {
  await requestDeletion(bed.db, bed.auth, { ...caller, ...ada });
  await bed.owner.sql`
    update persons set deletion_due_at = now() where id = ${ada.authenticated.person.id}`;
  let outcome: Promise<string> | undefined;
  await deleteDuePersons(bed.db, {
    account: async () => {
      outcome = faultCodeOf(act());
      await untilWaiting(bed.owner.sql, { over: outcome });
    },
    member: async () => undefined,
  });
  const [person] = await bed.sql`
    select deleted_at, name from persons where id = ${ada.authenticated.person.id}`;
  expect(person).toMatchObject({ deleted_at: expect.any(String), name: "" });
  return outcome ?? "nothing";
}

async function rowsAbout(id: PersonId) {
  const counts = await bed.owner.sql<{ name: string; n: number }[]>`
    select 'memberships' as name, count(*)::int as n from memberships where person_id = ${id}
    union all select 'factors', count(*)::int from factors where person_id = ${id}
    union all select 'sessions', count(*)::int from sessions where person_id = ${id}
    order by name`;
  return counts.map(({ name, n }) => `${name} ${n}`).join(", ");
}
const nothing = "factors 0, memberships 0, sessions 0";

async function openOrganization() {
  const grace = await bed.signUp();
  const by = actorOf(grace);
  const { slug } = await createOrganization(bed.db, bed.auth, by, { name: "Acme" });
  const again = await bed.auth.sessions.authenticate(grace.cookies);
  const account = requireAccount(
    await chooseAccount(bed.db, again?.person ?? { accounts: [] }, slug),
  );
  const owner: Member = { ...by, account };
  return { owner, account };
}

describe("someone who is being deleted", () => {
  test("is not signed in, by the right password", async () => {
    const ada = await bed.signUp();
    const given = { email: ada.email, password: "correct horse battery staple" };
    const outcome = await deleteWhile(ada, () => logIn(bed.db, bed.auth, caller, given));
    expect(outcome).toBe("wrong_credentials");
    expect(await rowsAbout(ada.authenticated.person.id)).toBe(nothing);
  });

  test("joins no organization", async () => {
    const { owner } = await openOrganization();
    const ada = await bed.signUp();
    await inviteMember(bed.db, bed.auth, owner, { email: ada.email, role: "admin" });
    const token = await bed.tokenTo(ada.email, "invitation");
    const outcome = await deleteWhile(ada, () =>
      acceptInvitation(bed.db, bed.auth, caller, actorOf(ada), { token }),
    );
    expect(outcome).toBe("unauthenticated");
    expect(await rowsAbout(ada.authenticated.person.id)).toBe(nothing);
  });

  test("founds no organization", async () => {
    const ada = await bed.signUp();
    const outcome = await deleteWhile(ada, () =>
      createOrganization(bed.db, bed.auth, actorOf(ada), { name: "Ghost" }),
    );
    expect(outcome).toBe("unauthenticated");
    expect(await bed.sql`select 1 from accounts where name = 'Ghost'`).toHaveLength(0);
  });

  test("gets no second factor, and no name", async () => {
    const ada = await bed.signUp();
    const begin = () => beginTotp(bed.db, bed.auth, ada.authenticated);
    expect(await deleteWhile(ada, begin)).toBe("unauthenticated");
    const eve = await bed.signUp();
    const rename = () => updateProfile(bed.db, eve.authenticated.person.id, { name: "Eve" });
    expect(await deleteWhile(eve, rename)).toBe("no fault");
    expect(await rowsAbout(ada.authenticated.person.id)).toBe(nothing);
  });
});

describe("a member who is being removed", () => {
  async function addMember({ owner, account }: Awaited<ReturnType<typeof openOrganization>>) {
    const ada = await bed.signUp();
    const { id } = ada.authenticated.person;
    await bed.owner.sql`
      insert into memberships (account_id, person_id, role) values (${account.id}, ${id}, 'developer')`;
    const member: Member = { ...actorOf(ada), account: { ...account, role: "developer" } };
    const acting = guardTransactions(bed.db, {
      check: async (tx) => void (await holdMembership(tx, member)),
    });
    const mint = () =>
      mintApiKey(acting, {
        accountId: account.id,
        createdBy: id,
        name: "late",
        actor: auditActorOf(actorOf(ada)),
      });
    const revoke = (tx: typeof bed.db, accountId: AccountId, personId: PersonId) =>
      revokeMemberKeys(tx, accountId, personId, auditActorOf(owner));
    return { id, mint, revoke };
  }
  const liveKeys = (id: PersonId) => bed.sql`
    select 1 from api_keys where created_by = ${id} and revoked_at is null`;

  test("makes no key in a request that began before", async () => {
    const company = await openOrganization();
    const { id, mint, revoke } = await addMember(company);
    let outcome: Promise<string> | undefined;
    const input = { personId: id, keys: "revoke" } as const;
    await removeMember(bed.db, company.owner, input, async (tx, accountId, personId) => {
      await revoke(tx, accountId, personId);
      outcome = faultCodeOf(mint());
      await untilWaiting(bed.owner.sql, { over: outcome });
    });
    expect(await outcome).toBe("not_found");
    expect(await liveKeys(id)).toHaveLength(0);
  });

  test("leaves no key that works, however many are being made", async () => {
    const company = await openOrganization();
    const { id, mint, revoke } = await addMember(company);
    const minted = Array.from({ length: 6 }, () => faultCodeOf(mint()));
    const input = { personId: id, keys: "revoke" } as const;
    await Promise.all([...minted, removeMember(bed.db, company.owner, input, revoke)]);
    expect(await liveKeys(id)).toHaveLength(0);
  });
});

test("an operator makes keys for people who are no members", async () => {
  const { account } = await openOrganization();
  const ada = await bed.signUp();
  const createdBy = ada.authenticated.person.id;
  const key = { accountId: account.id, createdBy, name: "theirs", id: newId<ApiKeyId>() };
  expect((await mintApiKey(bed.db, key)).id).toBe(key.id);
});
