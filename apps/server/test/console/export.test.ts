// The archive of a person and of an account over HTTP: complete, for those who may have it, after a recent proof,
// and recorded.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import { expectCleanBooks, startTestServer, type TestServer, topUp } from "../harness/index.ts";
import { type Browser, forgetProofs, openBrowser, signUp } from "./browser.fixture.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ environment: { THROTTLE_SCALE: "1000" } });
});
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

async function join(email: string): Promise<Browser> {
  const browser = openBrowser(server.url);
  await signUp(browser, server.url, email);
  return browser;
}

type Asked = {
  readonly of: string;
  readonly slug?: string;
  readonly account?: string;
  readonly site?: string;
};

function ask(browser: Browser, asked: Asked): Promise<Response> {
  const { of, slug, account, site = "same-origin" } = asked;
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return fetch(`${server.url}/console/export?of=${of}&account=${account ?? ""}`, {
    method: "POST",
    headers: {
      cookie,
      "content-type": "application/json",
      "sec-fetch-site": site,
      ...(slug !== undefined && { "x-turnpike-account": slug }),
    },
    body: "{}",
  });
}

const textOf = async (response: Response) => gunzipSync(await response.arrayBuffer()).toString();

async function codeOf(response: Response): Promise<string> {
  const { error } = (await response.json()) as { error: { code: string } };
  return `${response.status} ${error.code}`;
}

test("a person gets everything about them and their account, and the log says so", async () => {
  const email = "export-ada@example.com";
  const browser = await join(email);
  const answer = await browser.mutate("keys.create", {
    name: "exported key",
    attemptId: crypto.randomUUID(),
  });
  expect(answer.status).toBe(200);
  const response = await ask(browser, { of: "person" });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/gzip");
  expect(response.headers.get("content-disposition")).toMatch(/filename="my-data-[\d-]+\.tar\.gz"/);
  expect(response.headers.get("access-control-allow-origin")).toBeNull();
  const text = await textOf(response);
  for (const part of [email, "exported key", "person/sessions.json", "account/requests.json"]) {
    expect(text).toContain(part);
  }
  const events = await browser.query("sessions.events", {});
  expect(events.data).toMatchObject({ rows: [{ kind: "export" }, { kind: "sign_in" }] });
});

test("it needs a recent proof of identity, a session, and a page of ours", async () => {
  const email = "export-eve@example.com";
  const browser = await join(email);
  expect(await codeOf(await ask(browser, { of: "person", site: "cross-site" }))).toBe(
    "403 permission_denied",
  );
  expect(await codeOf(await ask(browser, { of: "everything" }))).toBe("400 invalid_value");
  await forgetProofs(server.owner, email);
  expect(await codeOf(await ask(browser, { of: "person" }))).toBe("403 step_up_required");
  expect(await codeOf(await ask(openBrowser(server.url), { of: "person" }))).toBe("401 null");
});

test("only an owner gets the archive of an organization, and its audit log has a row", async () => {
  const owner = await join("export-owner@example.com");
  const made = await owner.mutate("accounts.create", { name: "Exported" });
  const { slug } = made.data as { slug: string };
  const [account] = await server.owner.sql`select id from accounts where slug = ${slug}`;
  const admin = await join("export-admin@example.com");
  await server.owner.sql`
    insert into memberships (account_id, person_id, role)
    select ${account?.id}, id, 'admin' from persons where email = 'export-admin@example.com'`;
  const other = await join("export-other@example.com");
  await topUp(server, account?.id, "5");
  expect(await codeOf(await ask(admin, { of: "account", slug }))).toBe("403 permission_denied");
  expect(await codeOf(await ask(other, { of: "account", slug }))).toBe("404 not_found");
  const response = await ask(owner, { of: "account", slug });
  expect(response.status).toBe(200);
  const text = await textOf(response);
  expect(text).toContain("account/memberships.json");
  expect(text).toContain("5000000000");
  expect(text).not.toContain("export-other@example.com");
  const rows = await server.owner.sql`
    select actor_name from audit_log where account_id = ${account?.id} and action = 'account.export'`;
  expect(rows.map(({ actor_name: name }) => name)).toEqual(["export-owner@example.com"]);
});

test("an owner without the factor that the organization requires gets no archive of it", async () => {
  const owner = await join("export-careless@example.com");
  const made = await owner.mutate("accounts.create", { name: "Careful" });
  const { slug } = made.data as { slug: string };
  await server.owner.sql`
    update accounts set factors_required_from = now() - interval '1 minute' where slug = ${slug}`;
  const refused = await ask(owner, { of: "account", slug });
  expect(refused.status).toBe(403);
  expect(await refused.text()).toContain("Careful requires a second factor");
  expect((await ask(owner, { of: "person" })).status).toBe(200);
});

/** With a second factor. */
async function joinAsOperator(email: string, role: string): Promise<Browser> {
  const browser = await join(email);
  await server.owner.sql`
    insert into operators (person_id, role, granted_by)
    select id, ${role}, 'the test' from persons where email = ${email}`;
  await server.owner.sql`
    insert into factors (person_id, id, kind, name, confirmed_at, secret)
    select id, gen_random_uuid(), 'totp', 'phone', now(), '\\x00' from persons where email = ${email}`;
  return browser;
}

test("an operator downloads the archive of a customer once the customer's log says why", async () => {
  const email = "export-customer@example.com";
  await join(email);
  const [found] = await server.owner.sql`
    select m.account_id as id from memberships m join persons p on p.id = m.person_id where p.email = ${email}`;
  const account = String(found?.id);
  const operator = await joinAsOperator("export-operator@example.com", "owner");
  const support = await joinAsOperator("export-support@example.com", "support");
  const download = (by: Browser) => ask(by, { of: "operated", account });
  expect(await codeOf(await download(operator))).toBe("409 conflict");
  const reason = "ticket 8: cannot sign in";
  const answer = await operator.mutate("operator.account.export", { account, reason });
  expect(answer.data).toEqual({
    accountId: account,
    path: `/console/export?of=operated&account=${account}`,
  });
  const response = await download(operator);
  expect(response.status).toBe(200);
  expect(await textOf(response)).toContain("account/memberships.json");
  // The record of one operator gives it to no other, and for ten minutes.
  const second = await joinAsOperator("export-second@example.com", "owner");
  expect(await codeOf(await download(second))).toBe("409 conflict");
  expect(await codeOf(await download(support))).toBe("403 permission_denied");
  expect(await codeOf(await download(await join("export-nobody@example.com")))).toBe(
    "403 permission_denied",
  );
  const rows = await server.owner.sql`
    select actor_kind, actor_name, changes from audit_log
     where account_id = ${account} and action = 'account.export'`;
  expect(rows.map((row) => ({ ...row }))).toEqual([
    {
      actor_kind: "operator",
      actor_name: "export-operator@example.com",
      changes: { reason: [null, reason] },
    },
  ]);
});
