// Runs every mutation of an account after the caller lost the right to it while their request was under way: it is
// refused, and nothing has changed.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { grantablePermissions, scopeOf } from "@turnpike/accounts";
import { type AccountId, Fault, newId } from "@turnpike/base";
import { type Db, managementKeys } from "@turnpike/db";
import { roles } from "@turnpike/terms";
import { untilWaiting } from "@turnpike/testing";
import { type ActingMember, authenticate, authenticateColleague } from "./acting-member.fixture.ts";
import {
  callProcedure,
  type Member,
  type Outcome,
  openTestApi,
  procedureNames,
  type TestApi,
} from "./open-test-api.fixture.ts";
import { isMutation, metaOf } from "./read-procedure.fixture.ts";
import { samples } from "./walk-samples.fixture.ts";

let api: TestApi;

beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api.close());

const mutations = procedureNames.flatMap((name) => {
  const { permission } = metaOf(name);
  return isMutation(name) && permission !== undefined ? [{ name, permission }] : [];
});

/** Inputs that reach the transaction, where the sample is refused before it or repeats what was done. */
const inputs: Readonly<Record<string, (member: Member) => object>> = {
  "accounts.close": ({ accountId }) => ({ name: accountId }),
  // An attempt whose order exists.
  "wallet.createTopUp": ({ ownedIds }) => ({ amountUsd: "5", attemptId: ownedIds.topUpId }),
};

function inputOf(name: string, member: Member): unknown {
  return (inputs[name] ?? (() => newAttempt(samples[name]?.input?.(member.ownedIds))))(member);
}

function newAttempt(given: object | undefined): object | undefined {
  return given && "attemptId" in given ? { ...given, attemptId: Bun.randomUUIDv7() } : given;
}

/** Every row of the account, and the mails that wait to be sent. */
async function everythingOf(accountId: AccountId): Promise<readonly string[]> {
  const rows: string[] = [];
  const { sql } = api.owner;
  const tables = await sql<{ name: string; key: string }[]>`
    select c.table_name as name, c.column_name as key
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
       and (c.column_name = 'account_id' or (c.table_name = 'accounts' and c.column_name = 'id'))`;
  for (const { name, key } of tables) {
    const found = await sql<{ row: string }[]>`
      select to_jsonb(t)::text as row from ${sql(name)} t where ${sql(key)} = ${accountId}`;
    rows.push(...found.map(({ row }) => `${name} ${row}`));
  }
  const mails = await sql<{ id: string }[]>`select id from outbox`;
  return [...rows, ...mails.map(({ id }) => `mail ${id}`)].sort();
}

const refuseTurn = () => Promise.reject(new Fault("overloaded", "It is not its turn."));

const notMember = {
  ok: false,
  fault: "not_found",
  message: "There is no such account, or you are not a member of it.",
};

test("every mutation of an account is walked", () => {
  expect(mutations.length).toBeGreaterThan(45);
});

describe.each(mutations)("$name", ({ name, permission }) => {
  const role = scopeOf("admin", permission) === undefined ? "owner" : "admin";
  const call = (acting: ActingMember) => callProcedure(name, acting.context, inputOf(name, acting));
  const addColleague = (founder: Member) => authenticateColleague(api, founder, role);

  test("is refused to callers who lost the right to it since their request began", async () => {
    const founder = await api.addMember();
    const { context: operating } = await authenticate(api, founder);
    const [removed, demoted, leaver] = [
      await addColleague(founder),
      await addColleague(founder),
      await addColleague(founder),
    ];
    const remove = { personId: removed.personId, keys: "keep" };
    expect((await callProcedure("members.remove", operating, remove)).ok).toBe(true);
    const waiting = await addColleague(founder);
    const outOfTurn = { ...waiting, context: { ...waiting.context, change: refuseTurn } };
    const lacking = roles.find((one) => scopeOf(one, permission) === undefined) ?? "viewer";
    const demote = { personId: demoted.personId, role: lacking };
    expect((await callProcedure("members.changeRole", operating, demote)).ok).toBe(true);
    expect((await callProcedure("sessions.endAll", leaver.context, undefined)).ok).toBe(true);
    const before = await everythingOf(founder.accountId);

    expect(await call(removed)).toMatchObject(notMember);
    const isDenied = scopeOf(lacking, permission) === undefined;
    const fault = isDenied ? "permission_denied" : "conflict";
    expect(await call(demoted)).toMatchObject({ ok: false, fault });
    expect(await call(leaver)).toMatchObject({ ok: false, fault: "unauthenticated" });
    expect(await call(outOfTurn)).toMatchObject({ ok: false, fault: "overloaded" });
    expect(await everythingOf(founder.accountId)).toEqual(before);
  });

  test("waits for a removal under way, and is refused when that is done", async () => {
    const founder = await api.addMember();
    const acting = await addColleague(founder);
    const { context: operating } = await authenticate(api, founder);
    let mutation: Promise<Outcome> | undefined;
    await api.db.transaction(async (tx: Db) => {
      const remove = { personId: acting.personId, keys: "keep" };
      const removal = await callProcedure("members.remove", { ...operating, db: tx }, remove);
      expect(removal.ok).toBe(true);
      mutation = call(acting);
      await untilWaiting(api.sql, { over: mutation });
    });
    expect(await mutation).toMatchObject(notMember);
    const [last] = await api.sql<{ action: string }[]>`
      select action from audit_log where account_id = ${founder.accountId} order by id desc limit 1`;
    expect(last?.action).toBe("member.remove");
  });

  if (!grantablePermissions.includes(permission)) return;

  test("is refused to a management key that was revoked since its call began", async () => {
    const founder = await api.addMember();
    const { context, ...member } = await addColleague(founder);
    const key = await keyOf(member);
    const { account, authenticated } = context;
    if (account === undefined || authenticated === undefined) throw new Error("not signed in");
    const managementKey = { ...key, account, person: authenticated.person };
    const acting = {
      ...member,
      context: { ...context, authenticated: undefined, account: undefined, managementKey },
    };
    await api.sql`update management_keys set revoked_at = now() where id = ${key.id}`;
    const before = await everythingOf(founder.accountId);
    expect(await call(acting)).toMatchObject({ ok: false, fault: "invalid_api_key" });
    expect(await everythingOf(founder.accountId)).toEqual(before);
  });
});

async function keyOf({ accountId, personId: createdBy }: Omit<ActingMember, "context">) {
  const key = { id: newId<typeof managementKeys.$inferSelect.id>(), name: "walker" };
  const facts = { ...key, permissions: [...grantablePermissions], masked: "sk-tpm-…", createdBy };
  await api.owner.db
    .insert(managementKeys)
    .values({ ...facts, accountId, hash: Buffer.from(key.id) });
  return { ...key, permissions: facts.permissions };
}
