// A key that is found where others can read it: revoked or not as its account says, its owner told by mail, and anyone who
// reports it told nothing about it.
import { expect, test } from "bun:test";
import { makeApiKeyText, mintApiKey, rotateApiKey } from "@turnpike/keys";
import { readMails } from "../console/browser.fixture.ts";
import {
  at,
  chatBody,
  getPath,
  openAccount,
  postChat,
  readJson,
  scripted,
  startTestServer,
  useServer,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import { ask, openManaged } from "./open-management.fixture.ts";

const { server, account: caller } = await useServer(
  startTestServer({ environment: { THROTTLE_SCALE: "1000" } }),
);

async function report(...tokens: readonly string[]) {
  const response = await fetch(`${server.baseUrl}/management/keys/revoke-leaked`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(
      tokens.map((token) => ({
        token,
        type: "turnpike_api_key",
        url: "https://git.example/acme/app/blob/main/.env",
        source: "content",
      })),
    ),
  });
  return { status: response.status, body: await readJson(response) };
}

const statusOf = async (key: string) => {
  const { status } = await getPath(server, key, "/key");
  return status;
};

/** Instances hear of a revoked key within a second. */
const expectRefused = (key: string) =>
  eventually("the key to be refused", async () => (await statusOf(key)) === 401);

const auditOf = (accountId: string) => server.owner.sql<{ action: string; changes: unknown }[]>`
  select action, changes, actor_kind, actor_name from audit_log
   where account_id = ${accountId} and actor_kind = 'system' order by id`;

const kindsTo = async (email: string) =>
  (await readMails(server.url, email)).map(({ kind }) => kind);

test("a reported key is refused from then on, and its owner gets one mail", async () => {
  const account = await openAccount(server);
  expect(await statusOf(account.key)).toBe(200);
  expect(await report(account.key)).toEqual({ status: 202, body: { received: 1, malformed: 0 } });
  await expectRefused(account.key);
  await report(account.key);
  const mails = await readMails(server.url, account.email);
  expect(mails.map(({ kind }) => kind)).toEqual(["leaked_key_revoked"]);
  // As the reporter gave it: readable, and no link.
  const text = mails[0]?.text ?? "";
  expect(text.replaceAll("\u200b", "")).toContain("https://git.example/acme/app/blob/main/.env");
  expect(text).not.toContain("https://git.example");
  expect(mails[0]?.text).toContain("It no longer works.");
  expect(mails[0]?.text).not.toContain(account.key);
  expect(await auditOf(account.id)).toMatchObject([
    { action: "key.leaked", changes: { revoked: [null, "yes"] }, actor_name: "leak report" },
  ]);
});

test("the answer is the same for a key that works, one that was revoked, and one that never existed", async () => {
  const { key } = await openAccount(server);
  const first = await report(key);
  expect(await report(key)).toEqual(first);
  expect(await report(makeApiKeyText())).toEqual(first);
  const mistyped = `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`;
  expect(await report(mistyped, "AKIAIOSFODNN7EXAMPLE")).toEqual({
    status: 202,
    body: { received: 0, malformed: 2 },
  });
  expect((await report(key, key)).body).toEqual({ received: 1, malformed: 0 });
});

test("an account that wants to be warned keeps its key, and gets one mail a day", async () => {
  const account = await openAccount(server);
  await server.owner.sql`update accounts set revokes_leaked_keys = false where id = ${account.id}`;
  await report(account.key);
  await report(account.key);
  expect(await statusOf(account.key)).toBe(200);
  const mails = await readMails(server.url, account.email);
  expect(mails.map(({ kind }) => kind)).toEqual(["leaked_key_found"]);
  expect(mails[0]?.text).toContain("It still works, because");
  expect(await auditOf(account.id)).toMatchObject([{ changes: { revoked: [null, "no"] } }]);
});

test("of a rotated key only the secret that leaked ends", async () => {
  const account = await openAccount(server);
  const owner = { accountId: account.id, id: account.keyId };
  const { key: fresh } = await rotateApiKey(server.services.api.db, owner, 3_600);
  expect(await statusOf(account.key)).toBe(200);
  await report(account.key);
  await expectRefused(account.key);
  expect(await statusOf(fresh)).toBe(200);
});

test("a management key is revoked, too", async () => {
  const account = await openManaged(server);
  expect((await ask(server, account.managementKey, "GET /management/keys")).status).toBe(200);
  await report(account.managementKey);
  expect((await ask(server, account.managementKey, "GET /management/keys")).status).toBe(401);
  expect(await auditOf(account.id)).toMatchObject([{ action: "management_key.leaked" }]);
  expect(await kindsTo(account.email)).toEqual(["leaked_key_revoked"]);
});

test.each(["{}", "[]", '[{"key": "x"}]', "no json", '["sk-tp-x"]'])(
  "%s is no report",
  async (body) => {
    const response = await fetch(`${server.baseUrl}/management/keys/revoke-leaked`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    expect(response.status).toBe(400);
    expect(at(await response.json(), "error.type")).toBe("invalid_request_error");
  },
);

test("a key in the prompt of another key's request warns its owner, who keeps it", async () => {
  const owner = await openAccount(server);
  const { key: second } = await mintApiKey(server.owner.db, {
    accountId: owner.id,
    createdBy: owner.personId,
    name: "pasted",
  });
  const ask = (fields: object) =>
    postChat(server, caller.key, chatBody({ deltas: 2 }, { ...fields }));
  const prompt = (text: string) => ({ messages: [scripted({ deltas: 2 }, text)] });
  const answer = await ask({ ...prompt(`export KEY=${second}; fix this`), stream: true });
  expect(answer.status).toBe(200);
  await answer.text();
  const mail = await server.services.promptKeys.settled().then(() => kindsTo(owner.email));
  expect(mail).toEqual(["key_in_prompt"]);
  // Again, and whole: one mail a day. Its own key, a mistyped one and an unknown one warn nobody.
  for (const text of [second, caller.key, `${second.slice(0, -1)}!`, makeApiKeyText()]) {
    const again = await ask(prompt(text));
    expect(again.status).toBe(200);
    await again.text();
  }
  await server.services.promptKeys.settled();
  expect(await kindsTo(owner.email)).toEqual(["key_in_prompt"]);
  expect(await kindsTo(caller.email)).toEqual([]);
  expect(await statusOf(second)).toBe(200);
  expect(await auditOf(owner.id)).toMatchObject([
    { action: "key.seen_in_prompt", changes: { revoked: [null, "no"] } },
  ]);
});
