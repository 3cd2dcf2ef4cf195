// Walks every mutation of every router: what it did in an account is in the account's audit log, by whom and
// from where, and what failed is not.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  callProcedure,
  type Member,
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

const mutations = procedureNames.filter(isMutation);

/** About a person and in no account, or (the last two) in one the sample is no member of. */
const elsewhere =
  /^(?:auth|factors|profile|sessions)\.|^accounts\.create$|^invitations\.(?:accept|acceptOwn|beginPasskey|own|register)$/;

/** What cannot succeed for the member of the samples: the only owner, offered nothing, with another name. */
const refused = [
  "accounts.leave",
  // The colleague was offered it already, so that it can be withdrawn.
  "accounts.offerOwnership",
  "accounts.answerOwnership",
  "accounts.close",
  // No card is saved.
  "wallet.removeCard",
];

async function rowsOf({ accountId }: Member) {
  return api.sql<{ action: string; actor_name: string; address: string }[]>`
    select action, actor_name, address from audit_log where account_id = ${accountId} order by id`;
}

test("every mutation of an account is walked", () => {
  expect(mutations.length).toBeGreaterThan(25);
  const others = mutations.filter((name) => metaOf(name).permission === undefined);
  expect(others.filter((name) => !elsewhere.test(name))).toEqual([]);
});

describe.each(mutations.filter((name) => !elsewhere.test(name)))("%s", (name) => {
  test("leaves a row with actor and address, or nothing if it failed", async () => {
    const member = await api.addMember();
    const context = await api.contextOf(member);
    const before = await rowsOf(member);
    // A key of its own to create, instead of one that exists.
    const attemptId = Bun.randomUUIDv7();
    const given = samples[name]?.input?.(member.ownedIds) ?? {};
    const isNew = "attemptId" in given;
    const outcome = await callProcedure(name, context, isNew ? { ...given, attemptId } : given);
    const added = (await rowsOf(member)).slice(before.length);
    expect([name, outcome.ok]).toEqual([name, !refused.includes(name)]);
    if (!outcome.ok) return expect(added).toEqual([]);
    expect(added).toHaveLength(1);
    const { email } = context.authenticated?.person ?? {};
    expect(added[0]).toMatchObject({ actor_name: email, address: "203.0.113.1" });
  });
});

test("the log is filtered by who, what and when, page by page, and written to a file", async () => {
  const member = await api.addMember();
  const context = await api.contextOf(member);
  const ask = async (name: string, input: unknown) => {
    const outcome = await callProcedure(name, context, input);
    if (!outcome.ok) throw new Error(outcome.fault);
    return outcome.value;
  };
  const { keyId, personId } = member.ownedIds;
  for (let n = 0; n < 30; n += 1) {
    await ask("keys.setDisabled", { id: keyId, disabled: true });
    await ask("keys.setDisabled", { id: keyId, disabled: false });
  }
  await ask("members.changeRole", { personId, role: "viewer" });
  const actionsIn = (page: unknown) =>
    (page as { rows: { action: string }[] }).rows.map(({ action }) => action);
  const first = (await ask("audit.list", { action: "key" })) as { nextCursor: string };
  expect(actionsIn(first)).toHaveLength(50);
  const rest = await ask("audit.list", { action: "key", cursor: first.nextCursor });
  // The creation of the two keys of the fixture, by an operator, and the first changes.
  expect(actionsIn(rest)).toHaveLength(12);
  expect(new Set(actionsIn(await ask("audit.list", { action: "key.enable" })))).toEqual(
    new Set(["key.enable"]),
  );
  // A noun is not a prefix of another, and no pattern.
  expect(actionsIn(await ask("audit.list", { action: "ke" }))).toEqual([]);
  expect(actionsIn(await ask("audit.list", { action: "%" }))).toEqual([]);
  expect(actionsIn(await ask("audit.list", { personId }))).toEqual([]);
  expect(actionsIn(await ask("audit.list", { objectId: personId }))).toEqual([
    "member.change_role",
  ]);
  expect(actionsIn(await ask("audit.list", { to: "2020-01-01T00:00:00Z" }))).toEqual([]);
  await api.sql`update api_keys set name = '=1+1' where id = ${keyId}`;
  await ask("keys.setDisabled", { id: keyId, disabled: true });
  const { csv } = (await ask("audit.csv", {})) as { csv: string };
  const lines = csv.trimEnd().split("\r\n");
  expect(lines[0]).toBe("\ufeffat,actor,action,object_id,object,changes,address");
  expect(lines).toHaveLength(69);
  expect(lines.at(-1)).toContain(`,"'=1+1",`);
  expect(lines.at(-2)).toContain('"{""role"":[""admin"",""viewer""]}"');
});
