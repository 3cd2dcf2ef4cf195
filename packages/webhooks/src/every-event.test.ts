// What happens in an account reaches its endpoints, in the transaction that does it.

import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  accountLimits,
  changeRole,
  inviteMember,
  leaveAccount,
  openResolver,
  removeMember,
  scaleAccountLimits,
} from "@turnpike/accounts";
import { memberships } from "@turnpike/db";
import { mintApiKey, revokeApiKey, revokeMemberKeys, rotateApiKey } from "@turnpike/keys";
import { startWebhookReceiver } from "@turnpike/testing";
import { openTestWebhooks, type TestWebhooks } from "./open-test-webhooks.fixture.ts";

let site: TestWebhooks;

beforeAll(async () => {
  site = await openTestWebhooks();
});
afterAll(() => site.close());

const context = {
  publicUrl: "http://console.test",
  throttles: scaleAccountLimits(accountLimits, 1_000),
  resolveTxt: openResolver([]),
};

async function eventsOf(accountId: string) {
  const rows = await site.owner.sql<{ body: string }[]>`
    select body from webhook_events where account_id = ${accountId} order by id`;
  return rows.map(({ body }) => {
    const { type, data } = JSON.parse(body);
    return { type, data };
  });
}

test("keys: created, rotated and revoked, once each, and by whom", async () => {
  const by = await site.addOwner();
  const accountId = by.account.id;
  await using receiver = startWebhookReceiver();
  await site.addEndpoint(by, receiver.url);
  const actor = { kind: "person", ...by.person, address: "" } as const;
  const { id } = await mintApiKey(site.db, {
    accountId,
    createdBy: by.person.id,
    name: "ci",
    actor,
  });
  const owner = { accountId, id, actor };
  const { key: secret } = await rotateApiKey(site.db, owner, 0);
  await revokeApiKey(site.db, id, owner);
  await revokeApiKey(site.db, id, owner);
  const data = { key: { id, name: "ci" }, by: { kind: "person", name: by.person.email } };
  const kinds = ["key.created", "key.rotated", "key.revoked"];
  expect(await eventsOf(accountId)).toEqual(kinds.map((type) => ({ type, data })));
  expect(JSON.stringify(await eventsOf(accountId))).not.toContain(secret);
});

test("members: invited, given another role, removed with their keys, and gone by themselves", async () => {
  const by = await site.addOwner();
  await using receiver = startWebhookReceiver();
  await site.addEndpoint(by, receiver.url);
  const accountId = by.account.id;
  const other = await site.addOwner();
  const joined = { accountId, personId: other.person.id };
  await site.owner.db.insert(memberships).values({ ...joined, role: "viewer" });
  await inviteMember(site.db, context, by, { email: "new@example.com", role: "admin" });
  await changeRole(site.db, by, { personId: other.person.id, role: "developer" });
  const { id } = await mintApiKey(site.db, {
    accountId,
    createdBy: other.person.id,
    name: "theirs",
  });
  const actor = { kind: "person", ...by.person, address: "" } as const;
  const input = { personId: other.person.id, keys: "revoke" } as const;
  await removeMember(site.db, by, input, (tx) =>
    revokeMemberKeys(tx, accountId, other.person.id, actor),
  );
  await site.owner.db.insert(memberships).values({ ...joined, role: "viewer" });
  const leaving = { ...other, account: { ...by.account, role: "viewer" as const } };
  await leaveAccount(site.db, leaving);
  const member = { id: other.person.id, email: other.person.email };
  const me = { kind: "person", name: by.person.email };
  expect(await eventsOf(accountId)).toEqual([
    { type: "member.invited", data: { email: "new@example.com", role: "admin", by: me } },
    {
      type: "member.role_changed",
      data: { member, old_role: "viewer", new_role: "developer", by: me },
    },
    {
      type: "key.created",
      data: { key: { id, name: "theirs" }, by: { kind: "operator", name: "" } },
    },
    { type: "key.revoked", data: { key: { id, name: "theirs" }, by: me } },
    { type: "member.removed", data: { member, by: me } },
    {
      type: "member.removed",
      data: { member, by: { kind: "person", name: other.person.email } },
    },
  ]);
});
