// An account that is suspended or frozen is refused stored answers like any other call: neither the response cache nor
// an `Idempotency-Key` answers it, also while this process does not know of the change yet.
import { afterAll, afterEach, expect, test } from "bun:test";
import {
  chatBody,
  expectCleanBooks,
  expectFault,
  openAccount,
  postChat,
  startTestServer,
  type TestAccount,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import { withdraw } from "../money/set-balance.ts";

const server = await startTestServer();
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

/** Without a notification: the key stays in the memory of the process. */
const suspend = async ({ id }: TestAccount) =>
  void (await server.owner.sql`update accounts set suspended_at = now() where id = ${id}`);
const freeze = async (account: TestAccount) => {
  await server.services.ledger.recall(account.id);
  await withdraw(server, account.id, 11_000_000_000n);
};

const suspended = { status: 403, type: "permission_error", code: "account_suspended" };
const frozen = { status: 402, type: "insufficient_quota", code: "insufficient_quota" };

for (const [name, stop, fault] of [
  ["suspended", suspend, suspended],
  ["frozen", freeze, frozen],
] as const) {
  test.each([
    ["the response cache", { "x-openrouter-cache": "true" }],
    ["an Idempotency-Key", { "idempotency-key": `of ${name}` }],
  ])(`a ${name} account is not answered from %s`, async (_, headers) => {
    const account = await openAccount(server);
    const send = () => postChat(server, account.key, chatBody({ deltas: 3 }), { headers });
    const first = await send();
    expect(first.status).toBe(200);
    await first.text();
    expect((await send()).status).toBe(200);
    const asked = server.upstream.requests.length;
    await server.services.ledger.recall(account.id);
    await stop(account);
    const { message } = await expectFault(await send(), fault);
    expect(message).toContain(`This account is ${name}`);
    expect(server.upstream.requests.length).toBe(asked);
  });
}

test("a call that joins one that runs is refused once its account is suspended, the one that runs is answered", async () => {
  const account = await openAccount(server);
  const tag = "joined late";
  const send = () => {
    const headers = { "idempotency-key": "joined late" };
    return postChat(server, account.key, chatBody({ deltas: 3, gate: true, tag }), { headers });
  };
  const asked = server.upstream.requests.length;
  const first = send();
  await eventually("the upstream call", async () => server.upstream.requests.length > asked);
  await suspend(account);
  await expectFault(await send(), suspended);
  server.upstream.open(tag);
  expect((await first).status).toBe(200);
  expect(server.upstream.requests.length).toBe(asked + 1);
});
