// The management API on two servers: what one of them decides, the other one knows with the next call.
import { afterAll, afterEach, expect, test } from "bun:test";
import { revokeManagementKey } from "@turnpike/accounts";
import { at, expectCleanBooks, openTestSite, readJson, startTestServer } from "../harness/index.ts";
import { ask, memberOf, openManaged } from "./open-management.fixture.ts";

const site = await openTestSite();
const first = await startTestServer({ site });
const second = await startTestServer({ site });

afterEach(() => expectCleanBooks(site));
afterAll(async () => {
  await first.close();
  await second.close();
  await site.close();
});

test("a key that one server revokes is refused by the other one's next call", async () => {
  const account = await openManaged(site);
  const list = (server: typeof first) => ask(server, account.managementKey, "GET /management/keys");
  expect([(await list(first)).status, (await list(second)).status]).toEqual([200, 200]);
  await revokeManagementKey(first.services.api.db, memberOf(account), account.managementKeyId);
  expect([(await list(first)).status, (await list(second)).status]).toEqual([401, 401]);
});

test("a POST under one Idempotency-Key that reaches both servers creates one key", async () => {
  const { managementKey } = await openManaged(site);
  const post = (server: typeof first) =>
    ask(
      server,
      managementKey,
      "POST /management/keys",
      { name: "once" },
      { "idempotency-key": "k" },
    );
  const answers = await Promise.all([post(first), post(second), post(first), post(second)]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(answers.map(({ body }) => body.key)).size).toBe(1);
});

test("if its answer was lost with the process, the repetition creates nothing", async () => {
  const { id, managementKey } = await openManaged(site);
  const post = (server: typeof first) =>
    ask(
      server,
      managementKey,
      "POST /management/keys",
      { name: "lost" },
      { "idempotency-key": "l" },
    );
  expect((await post(first)).status).toBe(201);
  // As a process leaves it that dies between the commit and the answer.
  await site.owner.sql`delete from stored_answers where account_id = ${id}`;
  const again = await post(second);
  expect([again.status, at(again.body, "error.code")]).toEqual([409, "conflict"]);
  const { body } = await ask(second, managementKey, "GET /management/keys");
  expect(at(body, "data.length")).toBe(2);
});

test("a stored answer holds no key that the database could read", async () => {
  const { id, managementKey } = await openManaged(site);
  const { body } = await ask(
    first,
    managementKey,
    "POST /management/keys",
    { name: "sealed" },
    { "idempotency-key": "s" },
  );
  const rows = await site.owner.sql<{ sealed: Uint8Array | null }[]>`
    select sealed from stored_answers where account_id = ${id}`;
  const stored = Buffer.concat(rows.flatMap(({ sealed }) => (sealed === null ? [] : [sealed])));
  expect(stored.byteLength).toBeGreaterThan(0);
  expect(stored.includes(String(body.key))).toBe(false);
});

test("the description of the API is the same everywhere, and public", async () => {
  const [one, two] = await Promise.all(
    [first, second].map(async ({ url }) => readJson(await fetch(`${url}/openapi.json`))),
  );
  expect(at(one, "openapi")).toBe("3.1.0");
  expect(at(one, "paths")).toEqual(at(two, "paths"));
});
