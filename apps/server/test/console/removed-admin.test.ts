// An admin who is removed, and whose keys are revoked, has nothing left that works: not the keys they made in the name of
// others, nor keys whose secret they were shown, nor messages to addresses they chose.
import { expect, test } from "bun:test";
import { type AccountId, newId, type PersonId } from "@turnpike/base";
import { at, getPath, startTestServer, useServer } from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import { type Browser, openBrowser, password } from "./browser.fixture.ts";
import { openPeople } from "./people.fixture.ts";

const { server } = await useServer(
  startTestServer({
    environment: {
      THROTTLE_SCALE: "1000",
      SEALING_KEY: "a".repeat(64),
      ALLOW_PRIVATE_WEBHOOKS: "true",
    },
  }),
);
const people = openPeople(server.url);

async function openTeam() {
  const owner = await people.join("owner");
  const slug = String(
    at((await owner.browser.mutate("accounts.create", { name: "Team" })).data, "slug"),
  );
  const within = (browser: Browser): Browser => {
    const opened = openBrowser(server.url, { "x-turnpike-account": slug });
    for (const [name, value] of browser.cookies) opened.cookies.set(name, value);
    return opened;
  };
  const [account] = await server.owner.sql<{ id: AccountId }[]>`
    select id from accounts where slug = ${slug}`;
  const add = async (role: string) => {
    const person = await people.join(role);
    const [row] = await server.owner.sql<{ id: PersonId }[]>`
      insert into memberships (account_id, person_id, role)
      select ${account?.id ?? ""}, id, ${role} from persons where email = ${person.email}
      returning person_id as id`;
    return { ...person, id: row?.id ?? "", browser: within(person.browser) };
  };
  return {
    owner: within(owner.browser),
    admin: await add("admin"),
    developer: await add("developer"),
  };
}

const make = async (browser: Browser, input: object = {}) => {
  const given = { name: "k", attemptId: newId(), ...input };
  const { data, text } = await browser.mutate("keys.create", given);
  if (data === undefined) throw new Error(text);
  return { id: String(at(data, "id")), key: String(at(data, "key")) };
};
const statusOf = async (key: string) => (await getPath(server, key, "/key")).status;
const expectRefused = (key: string) =>
  eventually("the key to be refused", async () => (await statusOf(key)) === 401);

async function rotate(browser: Browser, id: string, graceSeconds: number) {
  const { data, text } = await browser.mutate("keys.rotate", { id, graceSeconds });
  if (data === undefined) throw new Error(text);
  return String(at(data, "key"));
}

async function openSecrets() {
  const { owner, admin, developer } = await openTeam();
  const own = await make(admin.browser);
  const forOther = await make(admin.browser, { memberId: developer.id });
  const rotated = await make(developer.browser);
  const rotatedKey = await rotate(admin.browser, rotated.id, 0);
  // The developer rotated it again: the admin knows the secret before.
  const replaced = await make(admin.browser, { memberId: developer.id });
  const replacedKey = await rotate(developer.browser, replaced.id, 3_600);
  const untouched = await make(developer.browser);
  return {
    owner,
    admin,
    developer,
    known: [own.key, forOther.key, rotatedKey, replaced.key],
    unknown: [replacedKey, untouched.key],
  };
}

test("a removed admin's keys are revoked, also those made or rotated for others", async () => {
  const { owner, admin, known, unknown } = await openSecrets();
  for (const key of [...known, ...unknown]) expect(await statusOf(key)).toBe(200);
  const endpoint = { url: "http://127.0.0.1:9/mine", description: "", eventTypes: null };
  await admin.browser.mutate("webhooks.create", endpoint);
  await owner.mutate("webhooks.create", { ...endpoint, url: "http://127.0.0.1:9/ours" });
  await admin.browser.mutate("invitations.create", { email: "later@example.com", role: "admin" });
  const permissions = ["usage.read"];
  await admin.browser.mutate("managementKeys.create", {
    name: "m",
    permissions,
    attemptId: newId(),
  });
  const removed = await owner.mutate("members.remove", { personId: admin.id, keys: "revoke" });
  expect(removed.status).toBe(200);
  for (const key of known) await expectRefused(key);
  for (const key of unknown) expect(await statusOf(key)).toBe(200);
  const { data } = await owner.query("webhooks.list");
  const endpoints = at(data, "endpoints") as { url: string; disabledAt: string | null }[];
  expect(endpoints.map(({ url, disabledAt }) => [url.at(-1), disabledAt !== null]).sort()).toEqual([
    ["e", true],
    ["s", false],
  ]);
  expect((await owner.query("members.invitations")).data).toEqual([]);
  expect(at((await owner.query("managementKeys.list")).data, "keys")).toEqual([]);
});

test("keys that an earlier version made for others are found by the audit log", async () => {
  const { owner, admin, developer } = await openTeam();
  const { id, key } = await make(admin.browser, { memberId: developer.id });
  await server.owner.sql`update api_keys set shown_to = null where id = ${id}`;
  await owner.mutate("members.remove", { personId: admin.id, keys: "revoke" });
  await expectRefused(key);
});

test("who resets their password also revokes the keys that were made in the names of others", async () => {
  const { admin, known, unknown } = await openSecrets();
  const token = await people.askReset(admin.email);
  const reset = await people
    .anybody()
    .mutate("auth.resetPassword", { token, password: `${password}!` });
  expect(reset.status).toBe(200);
  for (const key of known) await expectRefused(key);
  for (const key of unknown) expect(await statusOf(key)).toBe(200);
});
