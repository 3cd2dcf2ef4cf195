// What an account may have at most, and how often: exactly so when fifteen requests come at once, and however often a
// member tries.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { startWebhookReceiver } from "@turnpike/testing";
import { at, startTestServer, type TestServer } from "../harness/index.ts";
import { type Browser, faultOf, openBrowser, password, signUp } from "./browser.fixture.ts";

let server: TestServer;
let slug: string;
let accountId: string;
let browser: Browser;

const email = "caps@example.com";

/** A session of its own: each has its share of calls. */
async function signIn(): Promise<Browser> {
  const opened = openBrowser(server.url, { "x-turnpike-account": slug });
  await opened.mutate("auth.login", { email, password });
  return opened;
}

beforeAll(async () => {
  const environment = { ALLOW_PRIVATE_WEBHOOKS: "true", SEALING_KEY: "a".repeat(64) };
  server = await startTestServer({ environment });
  const owner = openBrowser(server.url);
  await signUp(owner, server.url, email);
  slug = String(at((await owner.mutate("accounts.create", { name: "Caps" })).data, "slug"));
  accountId = String(at((await (await signIn()).query("auth.me")).data, "account.id"));
});
beforeEach(async () => {
  browser = await signIn();
});
afterAll(() => server.close());

type Capped = {
  readonly procedure: string;
  readonly most: number;
  /** `number` makes it another one. */
  readonly input: (number: number) => Record<string, unknown>;
  readonly table: string;
  /** Makes so many of them without the server. */
  readonly fill: (count: number) => Promise<unknown>;
};

const attempt = () => ({ attemptId: Bun.randomUUIDv7() });

const capped: Readonly<Record<string, Capped>> = {
  "1,000 API keys": {
    procedure: "keys.create",
    most: 1_000,
    input: (number) => ({ name: `key ${number}`, ...attempt() }),
    table: "api_keys",
    fill: (count) => server.owner.sql`
      insert into api_keys (account_id, id, name, hash, masked)
      select ${accountId}, gen_random_uuid(), 'filler', sha256(n::text::bytea), 'sk-tp-…'
        from generate_series(1, ${count}::int) n`,
  },
  "100 management keys": {
    procedure: "managementKeys.create",
    most: 100,
    input: (number) => ({ name: `key ${number}`, permissions: ["usage.read"], ...attempt() }),
    table: "management_keys",
    fill: (count) => server.owner.sql`
      insert into management_keys (account_id, id, name, hash, masked, permissions, created_by)
      select ${accountId}, gen_random_uuid(), 'filler', sha256(n::text::bytea), 'sk-tpm-…', '{usage.read}',
             (select person_id from memberships where account_id = ${accountId})
        from generate_series(1, ${count}::int) n`,
  },
  "20 domains": {
    procedure: "domains.add",
    most: 20,
    input: (number) => ({ domain: `new-${number}.example` }),
    table: "domains",
    fill: (count) => server.owner.sql`
      insert into domains (account_id, id, domain, token)
      select ${accountId}, gen_random_uuid(), 'filler-' || n || '.example', 'x'
        from generate_series(1, ${count}::int) n`,
  },
  "200 projects": {
    procedure: "projects.create",
    most: 200,
    input: (number) => ({ name: `project ${number}` }),
    table: "projects",
    fill: (count) => server.owner.sql`
      insert into projects (account_id, id, name)
      select ${accountId}, gen_random_uuid(), 'filler ' || n from generate_series(1, ${count}::int) n`,
  },
  "10 webhook endpoints": {
    procedure: "webhooks.create",
    most: 10,
    input: (number) => ({ url: `http://127.0.0.1:9/${number}`, description: "", eventTypes: null }),
    table: "webhook_endpoints",
    fill: (count) => server.owner.sql`
      insert into webhook_endpoints (account_id, id, url, secret)
      select ${accountId}, gen_random_uuid(), 'http://127.0.0.1:9/filler', '\\x00'
        from generate_series(1, ${count}::int) n`,
  },
};

describe.each(Object.entries(capped))(
  "at most %s",
  (_, { procedure, most, input, table, fill }) => {
    test("of fifteen requests at once only those that fit succeed", async () => {
      const count = async () => {
        const [row] = await server.owner.sql`
        select count(*)::int as n from ${server.owner.sql(table)} where account_id = ${accountId}`;
        return Number(row?.n);
      };
      await fill(most - 3 - (await count()));
      const asked = Array.from({ length: 15 }, (__, number) =>
        browser.mutate(procedure, input(number)),
      );
      const faults = (await Promise.all(asked)).map(faultOf);
      expect(faults.filter((fault) => fault === "no fault")).toHaveLength(3);
      expect(new Set(faults)).toEqual(new Set(["no fault", "conflict"]));
      expect(await count()).toBe(most);
    });
  },
);

test("an organization takes five new URLs a day, keeps twenty, and goes back to a former one at any time", async () => {
  const rename = async (slug: string) => faultOf(await browser.mutate("accounts.change", { slug }));
  const faults = await Promise.all(Array.from({ length: 12 }, (_, n) => rename(`caps-new-${n}`)));
  expect(faults.filter((fault) => fault === "no fault")).toHaveLength(5);
  expect(new Set(faults)).toEqual(new Set(["no fault", "throttled"]));
  expect(await rename("caps")).toBe("no fault");
  await server.owner.sql`delete from throttles where bucket like 'slug:%'`;
  await server.owner.sql`
    insert into account_slugs (slug, account_id)
    select 'caps-old-' || n, ${accountId} from generate_series(1, 14) n`;
  expect(await rename("caps-beyond")).toBe("conflict");
  expect(await rename("caps-old-3")).toBe("no fault");
});

test("messages that a member sends by hand are twenty in ten minutes, tests and repetitions together", async () => {
  await using receiver = startWebhookReceiver();
  await server.owner.sql`delete from webhook_endpoints where account_id = ${accountId}`;
  const created = await browser.mutate("webhooks.create", {
    url: receiver.url,
    description: "",
    eventTypes: null,
  });
  const id = at(created.data, "id");
  const sent = await Promise.all(
    Array.from({ length: 25 }, () => browser.mutate("webhooks.sendTest", { id })),
  );
  const accepted = sent.filter(({ status }) => status === 200);
  expect(accepted).toHaveLength(20);
  expect(new Set(sent.map(faultOf))).toEqual(new Set(["no fault", "throttled"]));
  const again = await browser.mutate("webhooks.sendAgain", { id: at(accepted[0]?.data, "id") });
  expect(faultOf(again)).toBe("throttled");
});
