// A file of the account is downloaded in the console: by members whose role may read it, from our own pages, and by nobody else.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { AccountId, PersonId } from "@turnpike/base";
import { mintApiKey } from "@turnpike/keys";
import { filesEnvironment, useFiles } from "../files/use-files.fixture.ts";
import { asObject, at, readJson, startTestServer, type TestServer } from "../harness/index.ts";
import { type Browser, openBrowser, signUp } from "./browser.fixture.ts";

let server: TestServer;
let ada: Browser;
let file: string;

const text = "what only Ada's account knows";

beforeAll(async () => {
  const environment = { ...filesEnvironment, THROTTLE_SCALE: "1000" };
  server = await startTestServer({ environment });
  ada = await join("files-ada@example.com");
  file = await keep(ada);
});
afterAll(() => server.close());

async function join(email: string): Promise<Browser> {
  const browser = openBrowser(server.url);
  await signUp(browser, server.url, email);
  return browser;
}

/** In the personal account of who is signed in, by a key of theirs. */
async function keep(browser: Browser): Promise<string> {
  const made = await browser.mutate("keys.create", { name: "k", attemptId: crypto.randomUUID() });
  return upload(String(at(made.data, "key")));
}

/** By a key of that member; of an operator, if that is undefined. */
async function keepAs(accountId: AccountId, createdBy: PersonId | undefined): Promise<string> {
  const { key } = await mintApiKey(server.owner.db, { accountId, createdBy, name: "k" });
  return upload(key);
}

async function upload(key: string): Promise<string> {
  const uploaded = await useFiles(server).upload(key, text, { purpose: "user_data" });
  return String((await readJson(uploaded)).id);
}

function download(browser: Browser, query = "", site = "same-origin"): Promise<Response> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return fetch(`${server.url}/console/files/${file}${query}`, {
    headers: { cookie, "sec-fetch-site": site },
  });
}

async function codeOf(response: Response): Promise<string> {
  return `${response.status} ${at(asObject(await response.json()), "error.code")}`;
}

test("a member downloads what was uploaded, as an attachment that no browser runs", async () => {
  const response = await download(ada);
  expect(response.status).toBe(200);
  expect(await response.text()).toBe(text);
  expect(response.headers.get("content-disposition")).toStartWith("attachment;");
  expect(response.headers.get("content-security-policy")).toBe("sandbox");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(response.headers.get("access-control-allow-origin")).toBeNull();
});

test("who is not signed in, another site and another account get nothing", async () => {
  expect(await codeOf(await download(openBrowser(server.url)))).toStartWith("401 ");
  expect(await codeOf(await download(ada, "", "cross-site"))).toStartWith("403 ");
  const eve = await join("files-eve@example.com");
  const refused = await download(eve);
  expect(refused.status).toBe(404);
  expect(await refused.text()).not.toContain(text);
  const slug = String(at((await ada.query("auth.me")).data, "account.slug"));
  const foreign = await download(eve, `?account=${slug}`);
  expect([foreign.status, await foreign.text()]).toEqual([
    expect.any(Number),
    expect.not.stringContaining(text),
  ]);
  expect(foreign.status).toBeGreaterThanOrEqual(400);
});

test("a developer downloads only what their own keys made, and a viewer nothing", async () => {
  const founder = await join("files-founder@example.com");
  const created = await founder.mutate("accounts.create", { name: "Shared" });
  const slug = String(at(created.data, "slug"));
  const [account] = await server.owner.sql<{ id: AccountId }[]>`
    select id from accounts where slug = ${slug}`;
  if (account === undefined) throw new Error("There is no such account.");
  const accountId = account.id;
  const own = await joinAs(accountId, "developer");
  const viewer = await joinAs(accountId, "viewer");
  file = await keepAs(accountId, own.personId);
  expect((await download(own.browser, `?account=${slug}`)).status).toBe(200);
  expect((await download(founder, `?account=${slug}`)).status).toBe(200);
  expect((await download(viewer.browser, `?account=${slug}`)).status).toBe(403);
  file = await keepAs(accountId, undefined);
  expect((await download(own.browser, `?account=${slug}`)).status).toBe(404);
  expect((await download(founder, `?account=${slug}`)).status).toBe(200);
});

async function joinAs(accountId: AccountId, role: string) {
  const email = `files-${role}@example.com`;
  const browser = await join(email);
  const [person] = await server.owner.sql<{ id: PersonId }[]>`
    insert into memberships (account_id, person_id, role)
    select ${accountId}, id, ${role} from persons where email = ${email} returning person_id as id`;
  return { browser, personId: person?.id };
}
