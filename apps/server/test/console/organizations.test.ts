// An organization over HTTP, on two servers: the request names the account, the role decides what is served,
// and who is removed loses every access on every server.
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { AccountId } from "@turnpike/base";
import {
  at,
  chatBody,
  expectCleanBooks,
  openTestSite,
  postChat,
  readMoney,
  startTestServer,
  type TestServer,
  type TestSite,
  topUp,
} from "../harness/index.ts";
import { withdraw } from "../money/set-balance.ts";
import {
  type Browser,
  faultOf,
  forgetProofs,
  openBrowser,
  readMails,
  signUp,
  tokenOf,
} from "./browser.fixture.ts";

let site: TestSite;
let first: TestServer;
let second: TestServer;

beforeAll(async () => {
  site = await openTestSite({ environment: { THROTTLE_SCALE: "1000" } });
  first = await startTestServer({ site });
  second = await startTestServer({ site });
});
afterEach(() => expectCleanBooks(site));
afterAll(async () => {
  await first.close();
  await second.close();
  await site.close();
});

type Person = { readonly email: string; readonly cookies: Browser["cookies"] };

async function register(email: string): Promise<Person> {
  const browser = openBrowser(first.url);
  await signUp(browser, first.url, email);
  return { email, cookies: browser.cookies };
}

/** The person's browser on a page of the account. */
function open(person: Person, slug: string, server = first): Browser {
  const browser = openBrowser(server.url, { "x-turnpike-account": slug });
  for (const [name, value] of person.cookies) browser.cookies.set(name, value);
  return browser;
}

type Organization = { readonly owner: Person; readonly slug: string; readonly id: AccountId };

async function openOrganization(name: string): Promise<Organization> {
  const owner = await register(`owner-of-${name}@example.com`);
  const created = await open(owner, "").mutate("accounts.create", { name });
  const slug = String(at(created.data, "slug"));
  const me = await open(owner, slug).query("auth.me");
  const id = String(at(me.data, "account.id")) as AccountId;
  await topUp(first, id, "10");
  return { owner, slug, id };
}

async function join(organization: Organization, person: Person, role: string): Promise<void> {
  const owner = open(organization.owner, organization.slug);
  await owner.mutate("invitations.create", { email: person.email, role });
  const token = await tokenOf(first.url, person.email, "invitation");
  const joined = await open(person, "").mutate("invitations.accept", { token });
  expect(joined.data).toMatchObject({ joined: true, slug: organization.slug });
}

const createKey = async (browser: Browser) => {
  const attemptId = Bun.randomUUIDv7();
  const { data } = await browser.mutate("keys.create", { name: "team", attemptId });
  return { id: attemptId, key: String(at(data, "key")) };
};

const playground = (person: Person, slug: string, server = first) =>
  fetch(`${server.url}/console/playground`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "sec-fetch-site": "same-origin",
      cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      "x-turnpike-account": slug,
    },
    body: JSON.stringify(chatBody({ deltas: 1 })),
  });

test("a member spends the organization's money with their own key, and sees only that key", async () => {
  const acme = await openOrganization("spenders");
  const ada = await register("ada-spends@example.com");
  await join(acme, ada, "developer");
  await createKey(open(acme.owner, acme.slug));
  const own = await createKey(open(ada, acme.slug));
  const answer = await postChat(second, own.key, chatBody({ deltas: 1 }));
  expect(answer.status).toBe(200);
  await answer.text();
  expect((await readMoney(first, acme.id)).balanceNanos).toBeLessThan(10_000_000_000n);

  const keys = (await open(ada, acme.slug).query("keys.list", {})).data;
  expect(keys).toMatchObject([{ id: own.id }]);
  expect((await open(acme.owner, acme.slug).query("keys.list", {})).data).toHaveLength(2);
  const { data: logs } = await open(ada, acme.slug).query("logs.list", {});
  expect(at(logs, "rows")).toHaveLength(1);
  expect(faultOf(await open(ada, acme.slug).query("wallet.summary"))).toBe("permission_denied");
  // In their personal account nothing of it is visible.
  expect((await open(ada, "").query("keys.list", {})).status).toBe(404);
  const { data: me } = await openPersonal(ada).query("auth.me");
  expect(at(me, "account.kind")).toBe("personal");
  expect((await openPersonal(ada).query("keys.list", {})).data).toEqual([]);
});

/** Without the header. */
function openPersonal(person: Person): Browser {
  const browser = openBrowser(first.url);
  for (const [name, value] of person.cookies) browser.cookies.set(name, value);
  return browser;
}

test("the playground spends for the account of its page, if the role allows it", async () => {
  const acme = await openOrganization("players");
  const ada = await register("ada-plays@example.com");
  await join(acme, ada, "viewer");
  const refused = await playground(ada, acme.slug);
  expect([refused.status, at(await refused.json(), "error.code")]).toEqual([
    403,
    "permission_denied",
  ]);
  const served = await playground(acme.owner, acme.slug);
  expect(served.status).toBe(200);
  await served.text();
  const stranger = await register("stranger@example.com");
  expect((await playground(stranger, acme.slug)).status).toBe(404);
  const rows = await site.owner.sql`
    select 1 from requests where account_id = ${acme.id} and origin = 'playground'`;
  expect(rows).toHaveLength(1);
});

test("a removed member is refused on every server by their next request, and so are their revoked keys", async () => {
  const acme = await openOrganization("leavers");
  const ada = await register("ada-leaves@example.com");
  await join(acme, ada, "developer");
  const { key } = await createKey(open(ada, acme.slug));
  for (const server of [first, second]) {
    expect(await (await postChat(server, key, chatBody({ deltas: 1 }))).text()).toContain("tok");
    expect((await open(ada, acme.slug, server).query("keys.list", {})).status).toBe(200);
  }
  const [row] = await site.owner.sql<{ id: string }[]>`
    select id from persons where email = ${ada.email}`;
  const removed = await open(acme.owner, acme.slug).mutate("members.remove", {
    personId: row?.id,
    keys: "revoke",
  });
  expect(removed.status).toBe(200);
  for (const server of [first, second]) {
    expect(faultOf(await open(ada, acme.slug, server).query("keys.list", {}))).toBe("not_found");
    expect((await playground(ada, acme.slug, server)).status).toBe(404);
    // The other server hears of it by notification.
    let status = 200;
    while (status !== 401) {
      const answer = await postChat(server, key, chatBody({ deltas: 1 }));
      await answer.text();
      ({ status } = answer);
      expect([200, 401]).toContain(status);
    }
  }
});

test("kept keys stay, and keys that are handed over become the remover's", async () => {
  const acme = await openOrganization("heirs");
  const keep = await register("keeps@example.com");
  const hand = await register("hands-over@example.com");
  const fates = [
    [keep, "keep"],
    [hand, "hand_over"],
  ] as const;
  for (const [person, fate] of fates) {
    await join(acme, person, "developer");
    const { key, id } = await createKey(open(person, acme.slug));
    const [row] = await site.owner.sql<{ id: string }[]>`
      select id from persons where email = ${person.email}`;
    const owner = open(acme.owner, acme.slug);
    await owner.mutate("members.remove", { personId: row?.id, keys: fate });
    const answer = await postChat(first, key, chatBody({ deltas: 1 }));
    expect(answer.status).toBe(200);
    await answer.text();
    const { data } = await owner.query("keys.detail", { id, timeZone: "UTC" });
    const maker = fate === "keep" ? person.email : acme.owner.email;
    expect(at(data, "key.createdBy")).toBe(maker);
  }
});

test("a deleted organization is gone for everyone, its keys are refused, and its books stay", async () => {
  const acme = await openOrganization("closing");
  const ada = await register("ada-closing@example.com");
  await join(acme, ada, "developer");
  const { key } = await createKey(open(ada, acme.slug));
  const owner = open(acme.owner, acme.slug);
  const close = (name: string) => owner.mutate("accounts.close", { name });
  expect(faultOf(await close("opening"))).toBe("invalid_value");
  const rich = await close("closing");
  expect([faultOf(rich), at(rich.error, "message")]).toEqual([
    "conflict",
    "There is still $10.00 in the wallet. Spend it, or ask support for a refund.",
  ]);
  // All but a fraction of a cent is refunded by an operator.
  await withdraw(site, acme.id, 9_995_000_000n);
  expect(faultOf(await open(ada, acme.slug).mutate("accounts.close", { name: "closing" }))).toBe(
    "permission_denied",
  );
  expect((await close("closing")).status).toBe(200);
  for (const person of [acme.owner, ada]) {
    expect(faultOf(await open(person, acme.slug).query("keys.list", {}))).toBe("not_found");
    const [mail] = await readMails(first.url, person.email);
    expect(mail?.kind).toBe("account_closed");
  }
  let status = 200;
  while (status !== 401) {
    const answer = await postChat(second, key, chatBody({ deltas: 1 }));
    await answer.text();
    ({ status } = answer);
    expect([200, 401]).toContain(status);
  }
  const [row] = await site.owner.sql`
    select closed_at is not null as closed, name,
           (select count(*)::int from entries where account_id = ${acme.id}) as entries
      from accounts where id = ${acme.id}`;
  expect(row).toMatchObject({ closed: true, name: "" });
  expect(row?.entries).toBeGreaterThan(0);
  // Its URL is not given to another one.
  const again = await openPersonal(ada).mutate("accounts.create", { name: "closing" });
  expect(at(again.data, "slug")).toBe("closing-2");
});

test("inviting and promoting need a recent proof: a stolen session takes over no organization", async () => {
  const acme = await openOrganization("guarded");
  const ada = await register("ada-guarded@example.com");
  await join(acme, ada, "viewer");
  await forgetProofs(site.owner, acme.owner.email);
  const owner = open(acme.owner, acme.slug);
  const [row] = await site.owner.sql<{ id: string }[]>`
    select id from persons where email = ${ada.email}`;
  const attempts = [
    owner.mutate("invitations.create", { email: "eve@example.com", role: "admin" }),
    owner.mutate("members.changeRole", { personId: row?.id, role: "admin" }),
    owner.mutate("accounts.offerOwnership", { personId: row?.id }),
  ];
  for (const attempt of attempts) expect(faultOf(await attempt)).toBe("step_up_required");
});

test("an account is found by a former slug, and by nothing else", async () => {
  const acme = await openOrganization("renamed");
  await open(acme.owner, acme.slug).mutate("accounts.change", { slug: "renamed-again" });
  const { data } = await open(acme.owner, acme.slug).query("auth.me");
  expect(at(data, "account.slug")).toBe("renamed-again");
  const stranger = await register("stranger-2@example.com");
  for (const slug of [acme.slug, "renamed-again", "no-such-account", "'; --", "x".repeat(5_000)]) {
    const me = await open(stranger, slug).query("auth.me");
    expect(at(me.data, "account")).toBeNull();
    expect(faultOf(await open(stranger, slug).query("keys.list", {}))).toBe("not_found");
  }
});

test("requests on two servers do not outlive the role of their sender", async () => {
  const acme = await openOrganization("races");
  const mallory = await register("mallory-races@example.com");
  await join(acme, mallory, "admin");
  const owner = open(acme.owner, acme.slug);
  const [member] = await first.owner.sql`select id from persons where email = ${mallory.email}`;
  const personId = member?.id;
  const setRole = (browser: Browser, role: string) =>
    browser.mutate("members.changeRole", { personId, role });
  for (let round = 0; round < 10; round += 1) {
    expect((await setRole(owner, "admin")).status).toBe(200);
    const repeated = Array.from({ length: 9 }, (_, n) =>
      setRole(open(mallory, acme.slug, n % 2 === 0 ? first : second), "admin"),
    );
    const [demotion] = await Promise.all([setRole(owner, "developer"), ...repeated]);
    expect(demotion?.status).toBe(200);
    const me = await open(mallory, acme.slug).query("auth.me");
    expect([round, at(me.data, "account.role")]).toEqual([round, "developer"]);
  }
  expect((await setRole(owner, "admin")).status).toBe(200);
  const invited = Array.from({ length: 50 }, (_, n) =>
    open(mallory, acme.slug, n % 2 === 0 ? first : second).mutate("invitations.create", {
      email: `friend-${n}@example.com`,
      role: "admin",
    }),
  );
  await Promise.all([owner.mutate("members.remove", { personId, keys: "revoke" }), ...invited]);
  expect((await owner.query("members.invitations")).data).toEqual([]);
});
