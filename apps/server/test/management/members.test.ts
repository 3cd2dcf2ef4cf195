// Members and invitations over the management API: nobody becomes more than the key that made them, and each answer is
// what `/openapi.json` says.
import { expect, test } from "bun:test";
import { type AccountId, newId } from "@turnpike/base";
import { readMails } from "../console/browser.fixture.ts";
import { at, openAccount, startTestServer, useServer } from "../harness/index.ts";
import { readDescription } from "./expect-described.fixture.ts";
import { ask, openOrganization } from "./open-management.fixture.ts";

const { server } = await useServer(startTestServer());
const expectDescribed = await readDescription(server);

test("people are invited, change roles and are removed", async () => {
  const { id, key } = await openOrganization(server);
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

test("a management key makes nobody a member who could do more than the key", async () => {
  const { id, key } = await openOrganization(server, [
    "members.change",
    "account.read",
    "members.read",
  ]);
  const ada = await openAccount(server, { usd: "0" });
  await server.owner.sql`
    insert into memberships (account_id, person_id, role) values (${id}, ${ada.personId}, 'viewer')`;
  const manage = (call: string, body?: unknown) => ask(server, key, call, body);
  for (const role of ["owner", "admin", "billing", "developer", "viewer"]) {
    const email = `${newId<AccountId>()}@example.com`;
    const invited = await manage("POST /management/invitations", { email, role });
    const changed = await manage(`PATCH /management/members/${ada.personId}`, { role });
    for (const refused of [invited, changed]) {
      expect([role, refused.status]).toEqual([role, 403]);
      expect(at(refused.body, "error.param")).toBe("role");
    }
  }
});

test("a page goes on where it ended although its last row is gone", async () => {
  const { key } = await openOrganization(server);
  const manage = async (call: string, body?: unknown) => (await ask(server, key, call, body)).body;
  for (const name of ["a", "b", "c"]) await manage("POST /management/keys", { name });
  const names = [];
  let cursor: unknown;
  while (cursor !== null) {
    const page = await manage(`GET /management/keys?limit=1${cursor ? `&cursor=${cursor}` : ""}`);
    names.push(at(page, "data.0.name"));
    await manage(`DELETE /management/keys/${at(page, "data.0.id")}`);
    cursor = page.next_cursor;
  }
  expect(names).toEqual(["c", "b", "a"]);
});

test("the account, its time zone, and the projects of a member are read and changed", async () => {
  const { id, key } = await openOrganization(server);
  const manage = async (call: string, body?: unknown) => {
    const asked = await ask(server, key, call, body);
    expectDescribed(call.replace(/members\/[0-9a-f-]{36}/, "members/{person_id}"), asked);
    return asked.body;
  };
  expect(await manage("GET /management/account")).toMatchObject({ id, time_zone: "UTC" });
  await manage("PATCH /management/account", { time_zone: "Europe/Berlin" });
  expect((await manage("GET /management/account")).time_zone).toBe("Europe/Berlin");
  const ada = await openAccount(server, { usd: "0" });
  await server.owner.sql`
    insert into memberships (account_id, person_id, role) values (${id}, ${ada.personId}, 'viewer')`;
  const project = await manage("POST /management/projects", { name: "Search" });
  const member = `/management/members/${ada.personId}`;
  await manage(`PATCH ${member}/projects`, { project_ids: [project.id] });
  expect(at(await manage("GET /management/members"), "data.1.project_ids")).toEqual([project.id]);
  const created = await manage("POST /management/keys", { name: "x" });
  await ask(server, key, `POST /management/keys/${created.id}/move`, { project_id: project.id });
  const moved = await ask(server, key, `GET /management/keys/${created.id}`);
  expect(moved.body.project_id).toBe(project.id);
});

test("a key made for a member is theirs, in a project they work in", async () => {
  const { id, key } = await openOrganization(server);
  const manage = (call: string, body?: unknown) => ask(server, key, call, body);
  const ada = await openAccount(server, { usd: "0" });
  const eve = await openAccount(server, { usd: "0" });
  await server.owner.sql`
    insert into memberships (account_id, person_id, role) values (${id}, ${ada.personId}, 'developer')`;
  const project = await manage("POST /management/projects", { name: "Search" });
  const member = `/management/members/${ada.personId}`;
  await manage(`PATCH ${member}/projects`, { project_ids: [project.body.id] });
  const make = (fields: object) => manage("POST /management/keys", { name: "x", ...fields });
  const made = await make({ member_id: ada.personId });
  expect(made.status).toBe(201);
  const { body } = await manage(`GET /management/keys/${made.body.id}`);
  expect(body).toMatchObject({ created_by: ada.email, project_id: project.body.id });
  expect((await make({ member_id: ada.personId, project_id: id })).status).toBe(404);
  expect((await make({ member_id: eve.personId })).status).toBe(404);
  await manage(`PATCH ${member}`, { role: "viewer" });
  expect((await make({ member_id: ada.personId })).status).toBe(403);
  await manage(`PATCH ${member}`, { role: "developer" });
  expect((await manage(`DELETE ${member}?keys=revoke`)).status).toBe(200);
  expect((await manage(`GET /management/keys/${made.body.id}`)).body.status).toBe("revoked");
});

test("a management key gives nobody further projects whose role can do more than the key", async () => {
  const limited = await openOrganization(server, ["members.change", "members.read"]);
  const full = await openOrganization(server);
  for (const [{ id, key }, widened] of [
    [limited, 403],
    [full, 200],
  ] as const) {
    const ada = await openAccount(server, { usd: "0" });
    const [one, other] = [newId(), newId()];
    const { sql } = server.owner;
    await sql`insert into projects (account_id, id, name)
      values (${id}, ${one}, ${one}), (${id}, ${other}, ${other})`;
    await sql`insert into memberships (account_id, person_id, role, project_ids)
      values (${id}, ${ada.personId}, 'developer', ${`{${one}}`})`;
    const set = async (ids: readonly string[] | null) =>
      ask(server, key, `PATCH /management/members/${ada.personId}/projects`, { project_ids: ids });
    for (const ids of [null, [one, other], [other]]) {
      const answer = await set(ids);
      expect(answer.status).toBe(widened);
      if (widened === 403) {
        expect(at(answer.body, "error")).toMatchObject({
          code: "permission_denied",
          param: "project_ids",
        });
      }
    }
    // What they have already, or less, may be said by any key that changes members.
    expect((await set([widened === 403 ? one : other])).status).toBe(200);
  }
});
