// A process that dies in the middle of a call under an `Idempotency-Key`: the call runs again if it was not
// charged, and never if it was. Expired rows are treated as if they did not exist.
import { afterAll, afterEach, expect, test } from "bun:test";
import { newId } from "@turnpike/base";
import { purgeAnswers } from "../../src/answers/stored-answers.ts";
import {
  at,
  chatBody,
  expectCleanBooks,
  expectFault,
  openAccount,
  startTestServer,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";

const server = await startTestServer();
const account = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

const body = JSON.stringify(chatBody({ deltas: 3 }));
const send = (key: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${server.baseUrl}/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${account.key}`,
      "content-type": "application/json",
      "idempotency-key": key,
      ...headers,
    },
    body,
  });
const { sql } = server.owner;

/** Makes the row of the last call what it would be if its process had ended then. */
async function loseAnswer(changes: { readonly generationId?: string; readonly ended?: boolean }) {
  const instanceId = newId();
  const heartbeat = changes.ended === false ? sql`now()` : sql`now() - interval '1 hour'`;
  await sql`insert into instances (id, heartbeat_at) values (${instanceId}, ${heartbeat})`;
  await sql`
    update stored_answers
       set finished_at = null, sealed = null, instance_id = ${instanceId},
           generation_id = coalesce(${changes.generationId ?? null}::uuid, generation_id)
     where id = (select id from stored_answers order by created_at desc limit 1)`;
}

test("a call that was charged is not run again; the refusal names it", async () => {
  const first = await send("charged");
  const generation = first.headers.get("x-generation-id");
  await loseAnswer({});
  const asked = server.upstream.requests.length;
  const refused = await send("charged");
  expect(refused.headers.get("x-should-retry")).toBe("false");
  const fault = { status: 409, code: "conflict", param: "Idempotency-Key" };
  const error = await expectFault(refused, fault);
  expect(error.message).toContain(String(generation));
  expect(at(error, "metadata.generation_id")).toBe(generation);
  expect(server.upstream.requests.length).toBe(asked);
});

test("a call that was not charged runs again", async () => {
  await send("uncharged");
  await loseAnswer({ generationId: newId() });
  const again = await send("uncharged");
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, null]);
  expect((await send("uncharged")).headers.get("idempotent-replayed")).toBe("true");
});

test("a repetition waits for a call whose process is alive", async () => {
  const first = await (await send("alive")).text();
  const [kept] = await sql`select * from stored_answers order by created_at desc limit 1`;
  await loseAnswer({ ended: false });
  const asked = server.upstream.requests.length;
  const waiting = send("alive");
  await sql`update stored_answers set finished_at = now(), sealed = ${kept?.sealed} where id = ${kept?.id}`;
  expect(await (await waiting).text()).toBe(first);
  expect(server.upstream.requests.length).toBe(asked);
});

test("an expired answer is not returned", async () => {
  await send("expired");
  await sql`update stored_answers set expires_at = now()`;
  const again = await send("expired");
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, null]);
});

test("expired answers are deleted, the others are kept", async () => {
  for (const key of ["over", "current"]) await (await send(key)).text();
  await sql`
    update stored_answers set expires_at = now()
     where id <> (select id from stored_answers order by created_at desc limit 1)`;
  await purgeAnswers(server.services.jobsDatabase.sql);
  const left = await sql<
    { kept: boolean }[]
  >`select expires_at > now() as kept from stored_answers`;
  expect(left.map(({ kept }) => kept)).toEqual([true]);
  expect((await send("current")).headers.get("idempotent-replayed")).toBe("true");
});

test("a call answered from the cache was not charged, so it is answered from there again", async () => {
  const cached = { "x-openrouter-cache": "true" };
  expect((await send("first", cached)).headers.get("x-openrouter-cache-status")).toBe("MISS");
  const hit = await send("hit", cached);
  expect(hit.headers.get("x-openrouter-cache-status")).toBe("HIT");
  await eventually("the row of the hit", async () => {
    const rows =
      await sql`select 1 from requests where state = 'released' and outcome = 'completed'`;
    return rows.length > 0;
  });
  const asked = server.upstream.requests.length;
  await loseAnswer({});
  const again = await send("hit", cached);
  expect(again.status).toBe(200);
  expect(again.headers.get("x-openrouter-cache-status")).toBe("HIT");
  expect(server.upstream.requests.length).toBe(asked);
});
