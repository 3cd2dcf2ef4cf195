// Members, invitations, usage, requests, the ledger and the audit log over the management API: each answer is what
// `/openapi.json` says, and lists are read to their end page by page.
import { expect, test } from "bun:test";
import { createManagementKey, grantablePermissions } from "@turnpike/auth";
import { type AccountId, type ManagementKeyId, newId } from "@turnpike/base";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { readMails } from "../console/browser.fixture.ts";
import {
  at,
  chatBody,
  openAccount,
  postChat,
  readJson,
  startTestServer,
  useServer,
  waitForSettled,
} from "../harness/index.ts";
import { openOpenRouter } from "../sdk/open-openrouter.ts";
import { type Asked, ask, memberOf, openManaged } from "./open-management.fixture.ts";

const { server } = await useServer(startTestServer());

const openapi = await readJson(await fetch(`${server.url}/openapi.json`));
const ajv = new Ajv({ strict: false, allErrors: true });
addFormats(ajv);
ajv.addSchema(openapi, "openapi");

/** Fails the test unless the answer has the schema of its operation. */
function expectDescribed(call: string, { status, body }: Asked): void {
  const [method = "", path = ""] = call.split(" ");
  const content = ["responses", String(status), "content", "application/json", "schema"];
  const pointer = ["paths", `/v1${path}`, method.toLowerCase(), ...content]
    .map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")))
    .join("/");
  const validate = ajv.getSchema(`openapi#/${pointer}`);
  if (validate === undefined) throw new Error(`${call} has no answer with ${status}`);
  expect([call, validate(body) ? [] : validate.errors]).toEqual([call, []]);
}

/** An organization with a management key of its owner. */
async function openOrganization() {
  const owner = await openAccount(server, { usd: "0" });
  const id = newId<AccountId>();
  const { sql, db } = server.owner;
  await sql`insert into accounts (id, kind, name) values (${id}, 'organization', 'Acme')`;
  await sql`insert into memberships (account_id, person_id, role) values (${id}, ${owner.personId}, 'owner')`;
  const member = memberOf(owner);
  const [row] = await sql<{ slug: string }[]>`select slug from accounts where id = ${id}`;
  const account = { id, kind: "organization", slug: row?.slug ?? "", name: "Acme" } as const;
  const { key } = await createManagementKey(
    db,
    { ...member, account: { ...account, role: "owner" } },
    { name: "hr", permissions: grantablePermissions, id: newId<ManagementKeyId>() },
  );
  return { id, key };
}

test("people are invited, change roles and are removed", async () => {
  const { id, key } = await openOrganization();
  const manage = (call: string, body?: unknown) => ask(server, key, call, body);
  const email = `${newId<AccountId>()}@example.com`;
  const invited = await manage("POST /management/invitations", { email, role: "developer" });
  expectDescribed("POST /management/invitations", invited);
  expect((await readMails(server.url, email)).map(({ kind }) => kind)).toEqual(["invitation"]);
  const listed = await manage("GET /management/invitations");
  expectDescribed("GET /management/invitations", listed);
  expect(at(listed.body, "data.0")).toMatchObject({ email, role: "developer", expired: false });
  const invitation = `/management/invitations/${invited.body.id}`;
  expect((await manage(`POST ${invitation}/resend`)).status).toBe(200);
  expect((await manage(`DELETE ${invitation}`)).status).toBe(200);
  expect((await manage("GET /management/invitations")).body.data).toEqual([]);

  const ada = await openAccount(server, { usd: "0" });
  await server.owner.sql`
    insert into memberships (account_id, person_id, role) values (${id}, ${ada.personId}, 'viewer')`;
  const member = `/management/members/${ada.personId}`;
  expect((await manage(`PATCH ${member}`, { role: "developer" })).status).toBe(200);
  const members = await manage("GET /management/members");
  expectDescribed("GET /management/members", members);
  expect(at(members.body, "data.1")).toMatchObject({ email: ada.email, role: "developer" });
  const owned = await manage(`PATCH ${member}`, { role: "owner" });
  expect(at(owned.body, "error")).toMatchObject({ code: "permission_denied", param: "role" });
  expect((await manage(`DELETE ${member}?keys=revoke`)).status).toBe(200);
  expect((await manage(`DELETE ${member}?keys=revoke`)).status).toBe(404);

  const log = await manage("GET /management/audit-log?limit=2");
  expectDescribed("GET /management/audit-log", log);
  expect(at(log.body, "data.0")).toMatchObject({
    action: "member.remove",
    actor_kind: "management_key",
    actor: "hr",
    changes: { keys: [null, "revoke"] },
  });
  const older = await manage(`GET /management/audit-log?limit=2&cursor=${log.body.next_cursor}`);
  expect(at(older.body, "data.0.action")).toBe("invitation.revoke");
});

test("usage, requests and the ledger add up to what was spent", async () => {
  const account = await openManaged(server);
  const manage = async (call: string) => {
    const asked = await ask(server, account.managementKey, call);
    expectDescribed(call.replace(/\?.*/, "").replace(/gen-\w+/, "{id}"), asked);
    return asked.body;
  };
  for (let n = 0; n < 3; n += 1) {
    const answer = await postChat(server, account.key, chatBody({ deltas: 2 }));
    expect(answer.status).toBe(200);
    await answer.text();
  }
  await waitForSettled(server);
  const from = new Date(Date.now() - 3_600_000).toISOString();
  const to = new Date(Date.now() + 3_600_000).toISOString();
  for (const group of ["model", "key", "provider", "member", "operation", "status"]) {
    const usage = await manage(`GET /management/usage?from=${from}&to=${to}&group_by=${group}`);
    expect([group, at(usage, "total.requests")]).toEqual([group, 3]);
    expect([group, at(usage, "groups.0.cost_usd")]).toEqual([group, at(usage, "total.cost_usd")]);
    if (group === "member") expect(at(usage, "groups.0.id")).toBe(account.email);
    if (group === "key") expect(at(usage, "groups.0.label")).toBe("Test");
  }
  const first = await manage(`GET /management/requests?limit=2&key_ids=${account.keyId}`);
  const second = await manage(`GET /management/requests?limit=2&cursor=${first.next_cursor}`);
  expect([at(first, "data.length"), at(second, "data.length")]).toEqual([2, 1]);
  expect(second.next_cursor).toBeNull();
  const detail = await manage(`GET /management/requests/${at(first, "data.0.id")}`);
  expect(detail).toMatchObject({ outcome: "completed", key_id: account.keyId });
  const ledger = await manage("GET /management/ledger?type=usage");
  expect(at(ledger, "data.0.usage")).toMatchObject({ key_id: account.keyId, calls: 3 });
  const balance = await manage("GET /management/balance");
  expect(Number(balance.balance_usd)).toBeLessThan(10);
});

test("a program written for OpenRouter's keys works unchanged", async () => {
  const { managementKey } = await openManaged(server);
  const { apiKeys } = openOpenRouter(server, managementKey);
  const created = await apiKeys.create({
    requestBody: { name: "team", limit: 5, limitReset: "daily" },
  });
  expect(at(created, "key")).toMatch(/^sk-tp-/);
  const data = { name: "team", limit: 5, limitReset: "daily", usage: 0 };
  expect(created).toMatchObject({ data });
  const hash = String(at(created, "data.hash"));
  const namesOf = (listed: unknown) => [at(listed, "data.0.name"), at(listed, "data.1.name")];
  expect(namesOf(await apiKeys.list({}))).toEqual(["team", "Test"]);
  const changed = await apiKeys.update({ hash, requestBody: { limit: 7.5, disabled: true } });
  expect(changed).toMatchObject({ data: { limit: 7.5, limitReset: "daily", disabled: true } });
  expect(namesOf(await apiKeys.list({}))).toEqual(["Test", undefined]);
  expect(await apiKeys.get({ hash })).toMatchObject({ data: { limitRemaining: 7.5 } });
  expect(await apiKeys.delete({ hash })).toMatchObject({ deleted: true });
});

test("a limit of OpenRouter's shape replaces the shown one and leaves the others", async () => {
  const { managementKey } = await openManaged(server);
  const manage = (call: string, body?: unknown) => ask(server, managementKey, call, body);
  const { body } = await manage("POST /management/keys", {
    name: "limited",
    limits: { spend_limits_usd: { day: "1", month: "20" }, requests_per_minute: 5 },
  });
  const path = `/keys/${body.id}`;
  expect((await manage(`PATCH ${path}`, { limit: 2, limit_reset: "weekly" })).status).toBe(200);
  expect(at((await manage(`GET /management${path}`)).body, "limits")).toMatchObject({
    spend_limits_usd: { day: null, week: "2", month: "20", total: null },
    requests_per_minute: 5,
  });
  expect(at((await manage(`PATCH ${path}`, { limit: null })).body, "data.limit")).toBe(20);
  const refused = await manage(`PATCH ${path}`, { limit: 0.001 });
  expect([refused.status, at(refused.body, "error.param")]).toEqual([400, "limit"]);
  const unknown = await manage("POST /keys", { name: "x", provisioning: true });
  expect([unknown.status, at(unknown.body, "error.param")]).toEqual([400, "provisioning"]);
});

test("projects and budgets are set, listed and removed", async () => {
  const { id, key } = await openOrganization();
  const manage = async (call: string, body?: unknown) => {
    const asked = await ask(server, key, call, body);
    expectDescribed(call.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, "{id}"), asked);
    return asked.body;
  };
  const project = await manage("POST /management/projects", { name: "Search" });
  await manage(`PATCH /management/projects/${project.id}`, { name: "Search 2" });
  const projects = await manage("GET /management/projects");
  expect(JSON.stringify(projects.data)).toContain("Search 2");
  const budget = await manage("POST /management/budgets", {
    kind: "account",
    subject_id: id,
    period: "month",
    limit_usd: "50",
    hard: true,
  });
  expect(at(await manage("GET /management/budgets"), "data.0")).toMatchObject({
    id: budget.id,
    kind: "account",
    limit_usd: "50",
    hard: true,
  });
  await manage(`DELETE /management/budgets/${budget.id}`);
  expect((await manage("GET /management/budgets")).data).toEqual([]);
});
