// An account with a management key, and calls of the management API with it.
import {
  authenticateManagementKey,
  createManagementKey,
  grantablePermissions,
  type Member,
  type Permission,
} from "@turnpike/accounts";
import { type AccountId, type ManagementKeyId, newId } from "@turnpike/base";
import {
  type JsonObject,
  openAccount,
  readJson,
  type TestAccount,
  type TestServer,
} from "../harness/index.ts";

export type Managed = TestAccount & {
  readonly managementKey: string;
  readonly managementKeyId: ManagementKeyId;
};

/** The owner of a personal account, as a member of it. */
export function memberOf(account: TestAccount): Member {
  const { id, personId, email } = account;
  return {
    account: { id, kind: "personal", slug: "", name: "", role: "owner" },
    person: { id: personId, email },
    address: "203.0.113.7",
  };
}

export async function openManaged(
  server: Pick<TestServer, "owner">,
  permissions: readonly Permission[] = grantablePermissions,
): Promise<Managed> {
  const account = await openAccount(server);
  const created = await createManagementKey(server.owner.db, memberOf(account), {
    name: "automation",
    permissions,
    id: newId<ManagementKeyId>(),
  });
  await authenticateManagementKey(server.owner.db, created.key);
  return { ...account, managementKey: created.key, managementKeyId: created.id };
}

/** An organization with a management key of its owner. */
export async function openOrganization(
  server: Pick<TestServer, "owner">,
  permissions: readonly Permission[] = grantablePermissions,
) {
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
    { name: "hr", permissions, id: newId<ManagementKeyId>() },
  );
  return { id, key };
}

export type Asked = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: JsonObject;
};

/** A call below `/v1`. */
export async function ask(
  { baseUrl }: Pick<TestServer, "baseUrl">,
  key: string,
  call: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Asked> {
  const [method = "GET", path = ""] = call.split(" ");
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: await readJson(response) };
}
