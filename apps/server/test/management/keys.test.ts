// API keys over the management API: created, used, changed and revoked with a management key, which cannot do
// anything it was not given, and never calls a model.
import { expect, test } from "bun:test";
import { createManagementKey } from "@turnpike/accounts";
import { type ManagementKeyId, newId } from "@turnpike/base";
import {
  at,
  chatBody,
  expectCallHeaders,
  expectFault,
  getPath,
  postChat,
  startTestServer,
  useServer,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import { ask, memberOf, openManaged } from "./open-management.fixture.ts";

const { server } = await useServer(startTestServer());

test("a key is created, listed, calls a model, and is refused once it is revoked", async () => {
  const { managementKey } = await openManaged(server);
  const manage = (call: string, body?: unknown) => ask(server, managementKey, call, body);
  const created = await manage("POST /management/keys", {
    name: "deploy",
    limits: { spend_limits_usd: { day: "2.50" }, requests_per_minute: 60 },
  });
  expect(created.status).toBe(201);
  expectCallHeaders(created.headers);
  const { id, key } = created.body;
  expect(key).toMatch(/^sk-tp-[0-9A-Za-z]{49}$/);

  const listed = await manage("GET /management/keys");
  expect(listed.body).toMatchObject({ next_cursor: null });
  expect(at(listed.body, "data.0")).toMatchObject({
    id,
    name: "deploy",
    status: "active",
    limits: { spend_limits_usd: { day: "2.5", week: null }, requests_per_minute: 60 },
  });

  const answer = await postChat(server, String(key), chatBody({ deltas: 1 }));
  expect(answer.status).toBe(200);
  await answer.text();

  const changed = await manage(`PATCH /management/keys/${id}`, { name: "deploy 2" });
  expect(changed.body).toMatchObject({ id, name: "deploy 2" });
  expect((await manage(`POST /management/keys/${id}/disable`)).body).toMatchObject({
    status: "disabled",
  });
  expect((await manage(`POST /management/keys/${id}/enable`)).body).toMatchObject({
    status: "active",
  });
  const rotated = await manage(`POST /management/keys/${id}/rotate`, { grace_seconds: 0 });
  expect(rotated.body.key).not.toBe(key);

  expect(await manage(`DELETE /management/keys/${id}`)).toMatchObject({ status: 200, body: {} });
  // Instances hear of it within a second.
  const { key: fresh } = rotated.body;
  const isRefused = async () => (await getPath(server, String(fresh), "/key")).status === 401;
  await eventually("the key to be refused", isRefused);
  const refused = await postChat(server, String(fresh), chatBody({ deltas: 1 }));
  await expectFault(refused, { status: 401, code: "invalid_api_key" });
  expect((await manage(`GET /management/keys/${id}`)).body).toMatchObject({ status: "revoked" });
});

test("what a key did is in the audit log under its name", async () => {
  const { id, managementKey, managementKeyId } = await openManaged(server);
  await ask(server, managementKey, "POST /management/keys", { name: "audited" });
  const rows = await server.owner.sql`
    select actor_kind, actor_id, actor_name, action, address from audit_log
     where account_id = ${id} order by id desc limit 1`;
  expect(rows[0]).toMatchObject({
    actor_kind: "management_key",
    actor_id: managementKeyId,
    actor_name: "automation",
    action: "key.create",
    address: "127.0.0.1",
  });
});

test("a key does only what it was given, and nothing in another account", async () => {
  const reader = await openManaged(server, ["keys.read"]);
  const other = await openManaged(server);
  const denied = await ask(server, reader.managementKey, "POST /management/keys", { name: "x" });
  expect(denied.status).toBe(403);
  expect(at(denied.body, "error")).toMatchObject({
    code: "permission_denied",
    metadata: { permission: "keys.change" },
  });
  const own = await ask(server, reader.managementKey, "GET /management/keys");
  expect(at(own.body, "data.0.id")).toBe(reader.keyId);
  for (const call of [
    `GET /management/keys/${reader.keyId}`,
    `DELETE /management/keys/${reader.keyId}`,
  ]) {
    expect((await ask(server, other.managementKey, call)).status).toBe(404);
  }
});

test("no key has more than its creator may do, now or later", async () => {
  const account = await openManaged(server, ["keys.change", "keys.read"]);
  const viewer = memberOf(account);
  const create = (member: typeof viewer, permission: "keys.change" | "account.own") =>
    createManagementKey(server.owner.db, member, {
      name: "more",
      permissions: [permission],
      id: newId<ManagementKeyId>(),
    }).then(
      () => "created",
      (fault) => fault.code,
    );
  const lesser = { ...viewer, account: { ...viewer.account, role: "viewer" as const } };
  expect(await create(lesser, "keys.change")).toBe("permission_denied");
  expect(await create(viewer, "account.own")).toBe("invalid_value");
  expect(await create(viewer, "keys.change")).toBe("created");
  // The role decides at every call, not when the key was created.
  await server.owner.sql`
    insert into memberships (account_id, person_id, role)
    select ${account.id}, id, 'owner' from persons where id <> ${account.personId} limit 1`;
  await server.owner.sql`
    update memberships set role = 'viewer'
     where account_id = ${account.id} and person_id = ${account.personId}`;
  const asViewer = (call: string, body?: unknown) => ask(server, account.managementKey, call, body);
  expect((await asViewer("GET /management/keys")).status).toBe(200);
  expect((await asViewer("POST /management/keys", { name: "x" })).status).toBe(403);
  await server.owner.sql`
    delete from memberships where account_id = ${account.id} and person_id = ${account.personId}`;
  expect((await ask(server, account.managementKey, "GET /management/keys")).status).toBe(401);
});

test("who uses a key of the other kind is told what it is for", async () => {
  const { key, managementKey } = await openManaged(server);
  const refused = await postChat(server, managementKey, chatBody({ deltas: 1 }));
  const error = await expectFault(refused, { status: 401, code: "invalid_api_key" });
  expect(error.message).toContain("management key");
  const manage = await getPath(server, key, "/management/keys");
  expect((await expectFault(manage, { status: 401, code: "invalid_api_key" })).message).toContain(
    "This is an API key",
  );
});

test("a POST under an Idempotency-Key is done once, and its answer is given again", async () => {
  const { managementKey } = await openManaged(server);
  const post = (name: string) =>
    ask(server, managementKey, "POST /management/keys", { name }, { "Idempotency-Key": "once" });
  const [first, second] = await Promise.all([post("once"), post("once")]);
  const third = await post("once");
  expect([first.status, second.status, third.status]).toEqual([201, 201, 201]);
  expect(second.body).toEqual(first.body);
  expect(third.body).toEqual(first.body);
  expect(third.headers.get("idempotent-replayed")).toBe("true");
  const other = await post("another");
  expect([other.status, at(other.body, "error.code")]).toEqual([409, "conflict"]);
  const { body } = await ask(server, managementKey, "GET /management/keys");
  expect(Array.isArray(body.data) && body.data.length).toBe(2);
});

test("a list comes in pages, and a cursor of no page is refused", async () => {
  const { managementKey } = await openManaged(server);
  const manage = (call: string, body?: unknown) => ask(server, managementKey, call, body);
  for (const name of ["a", "b", "c"]) await manage("POST /management/keys", { name });
  const names = [];
  let cursor = "";
  do {
    const { body } = await manage(`GET /management/keys?limit=2${cursor}`);
    for (const key of body.data as { name: string }[]) names.push(key.name);
    cursor = body.next_cursor === null ? "" : `&cursor=${body.next_cursor}`;
  } while (cursor !== "");
  expect(names).toEqual(["c", "b", "a", "Test"]);
  const wrong = await manage(`GET /management/keys?cursor=nothing`);
  expect(at(wrong.body, "error")).toMatchObject({ code: "invalid_value", param: "cursor" });
});

test.each([
  ["POST /management/keys", {}, "invalid_type", "name"],
  [
    "POST /management/keys",
    { name: "x", limits: { spendLimitsUsd: {} } },
    "unknown_parameter",
    "spendLimitsUsd",
  ],
  [
    "POST /management/keys",
    { name: "x", limits: { spend_limits_usd: { day: "-1" } } },
    "invalid_value",
    "limits.spend_limits_usd.day",
  ],
  ["POST /management/keys", { name: "x", surprise: 1 }, "unknown_parameter", "surprise"],
  ["POST /management/keys?name=x", {}, "unknown_parameter", "name"],
  ["GET /management/keys?limit=0", undefined, "invalid_value", "limit"],
  ["GET /management/keys?limit=ten", undefined, "invalid_type", "limit"],
  ["GET /management/keys/no-id", undefined, "invalid_value", "id"],
])("%s with %j is refused as %s of %s", async (call, body, code, param) => {
  const { managementKey } = await openManaged(server);
  const refused = await ask(server, managementKey, call, body);
  expect([refused.status, at(refused.body, "error.code"), at(refused.body, "error.param")]).toEqual(
    [400, code, param],
  );
});

test("a key that makes too many calls is told when to try again", async () => {
  const { managementKey } = await openManaged(server);
  const asked = await Promise.all(
    Array.from({ length: 80 }, () => ask(server, managementKey, "GET /management/keys?limit=1")),
  );
  const refused = asked.find(({ status }) => status === 429);
  expect(refused?.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(at(refused?.body, "error.metadata.limit_source")).toBe("management_key");
});
