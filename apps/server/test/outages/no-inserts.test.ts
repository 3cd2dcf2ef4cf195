// A database that accepts updates but no inserts, as on a full disk: calls are refused at once with a code of
// their own, before a provider is paid for answers that cannot be charged, and the instance is not ready.
import { afterAll, afterEach, expect, test } from "bun:test";
import {
  chatBody,
  expectCleanBooks,
  expectFault,
  openAccount,
  postChat,
  startTestServer,
  waitForSettled,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";

const server = await startTestServer({ environment: { SETTLE_WAIT_MS: "200" } });
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

/** Every insert into the table fails as it would on a full disk; resolves with what ends that. */
async function fill(table: "requests" | "write_proofs"): Promise<() => Promise<void>> {
  const { sql } = server.owner;
  await sql.unsafe(`
    create function refuse_insert() returns trigger language plpgsql as
      $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$;
    create trigger refuse_insert before insert on ${table} for each row execute function refuse_insert()`);
  return async () => {
    await sql.unsafe(`drop trigger refuse_insert on ${table}; drop function refuse_insert()`);
  };
}

const readiness = () => fetch(`${server.url}/readyz`);
const unavailable = { status: 503, type: "server_error", code: "database_unavailable" };

/** Refused calls reach no provider. */
async function expectRefusals(key: string): Promise<void> {
  const asked = server.upstream.requests.length;
  for (const stream of [false, true]) {
    const refused = await postChat(server, key, chatBody({ deltas: 1 }, { stream }));
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    await expectFault(refused, unavailable);
  }
  expect(server.upstream.requests).toHaveLength(asked);
}

async function expectService(key: string): Promise<void> {
  await eventually("an answer", async () => {
    const answer = await postChat(server, key, chatBody({ deltas: 1 }));
    await answer.text();
    return answer.status === 200;
  });
  expect((await readiness()).status).toBe(200);
}

test("one charge that finds the disk full is enough: nothing is admitted until a charge is written", async () => {
  const account = await openAccount(server);
  const free = await fill("requests");
  const first = await postChat(server, account.key, chatBody({ deltas: 1 }));
  await first.text();
  expect(first.status).toBe(503);
  await expectRefusals(account.key);
  const answer = await readiness();
  expect([answer.status, (await answer.text()).trim()]).toEqual([
    503,
    "the database's disk is full",
  ]);
  await free();
  await expectService(account.key);
  await waitForSettled(server);
});

test("a heartbeat that cannot insert makes the instance not ready, although it can update", async () => {
  const account = await openAccount(server);
  await expectService(account.key);
  const free = await fill("write_proofs");
  await eventually("the instance to be not ready", async () => (await readiness()).status === 503);
  await expectRefusals(account.key);
  await free();
  await expectService(account.key);
  await waitForSettled(server);
});
