// What an account may have stored: answers under an `Idempotency-Key` and those of the response cache have
// separate room, and the number of keys is bounded.
import { expect, test } from "bun:test";
import {
  chatBody,
  expectFault,
  openAccount,
  postChat,
  startTestServer,
  type TestAccount,
  useServer,
} from "../harness/index.ts";

const { server } = await useServer(startTestServer());
const { sql } = server.owner;
const body = chatBody({ deltas: 2 });
const share = 64 * 1024 * 1024;
const nameBytes = { once: 32, cached: 33 };

/** `rows` answers of `bytes` each, or running calls, as other processes have stored them. */
async function store({ id }: TestAccount, kind: "once" | "cached", rows: number, bytes?: number) {
  await sql.begin(async (all) => {
    await all`set local statement_timeout = 0`;
    await all`
      insert into stored_answers
             (id, account_id, request_hash, generation_id, instance_id, expires_at, finished_at, sealed)
      select substr(sha256(convert_to(${id} || i, 'UTF8')) || 'x'::bytea, 1, ${nameBytes[kind]}),
             ${id}, '', gen_random_uuid(), gen_random_uuid(), now() + interval '1 hour', now(),
             convert_to(repeat('x', ${bytes ?? null}::int), 'UTF8')
        from generate_series(1, ${rows}) i`;
  });
}

const ask = ({ key }: TestAccount, headers: Readonly<Record<string, string>>) =>
  postChat(server, key, body, { headers });

/** Whether a second call under a key is answered like the first. */
async function isRepeated(account: TestAccount): Promise<boolean> {
  const headers = { "idempotency-key": "a" };
  expect((await ask(account, headers)).status).toBe(200);
  return (await ask(account, headers)).headers.get("idempotent-replayed") === "true";
}

async function isCached(account: TestAccount): Promise<boolean> {
  const headers = { "x-openrouter-cache": "true" };
  expect((await ask(account, headers)).headers.get("x-openrouter-cache-status")).toBe("MISS");
  return (await ask(account, headers)).headers.get("x-openrouter-cache-status") === "HIT";
}

test("a full cache keeps no further answer, and does not reduce the room of those under a key", async () => {
  const account = await openAccount(server);
  await store(account, "cached", 1, share);
  expect([await isCached(account), await isRepeated(account)]).toEqual([false, true]);
});

test("answers under keys do not reduce the room of the cache; one without room is charged and not repeated", async () => {
  const account = await openAccount(server);
  await store(account, "once", 1, share);
  expect([await isCached(account), await isRepeated(account)]).toEqual([true, false]);
  const repeated = await ask(account, { "idempotency-key": "a" });
  await expectFault(repeated, { status: 409, code: "conflict", param: "Idempotency-Key" });
});

test("a new key beyond the limit is refused and runs nothing; a known one is repeated", async () => {
  const account = await openAccount(server);
  await store(account, "once", 249_999);
  expect(await isRepeated(account)).toBe(true);
  const before = server.upstream.requests.length;
  const refused = await ask(account, { "idempotency-key": "b" });
  const fault = {
    status: 429,
    type: "requests",
    code: "rate_limit_exceeded",
    param: "Idempotency-Key",
  };
  const { message } = await expectFault(refused, fault);
  expect(message).toContain("250,000");
  expect(refused.headers.get("retry-after")).toBe("60");
  expect(server.upstream.requests.length).toBe(before);
  expect((await ask(account, { "idempotency-key": "a" })).status).toBe(200);
});
