// A call under an `Idempotency-Key` whose client disconnects while too many calls continue without theirs:
// it is cut off and charged, once. Its key does not call an upstream again, and its repetitions name what
// was charged.
import { expect, test } from "bun:test";
import { newId } from "@turnpike/base";
import {
  at,
  chatBody,
  expectFault,
  type JsonObject,
  postChat,
  readMoney,
  startTestServer,
  useServer,
} from "../harness/index.ts";
import { awaitRequest } from "../money/read-requests.ts";

const { server, account } = await useServer(
  startTestServer({ environment: { BACKGROUND_PER_ACCOUNT_MAX: "0" } }),
);

/** Sends a call under the key `name` and disconnects: from a stream after its first bytes. */
async function leave(name: string, body: JsonObject): Promise<string> {
  const client = new AbortController();
  const headers = { "idempotency-key": name, "user-agent": name };
  const left = postChat(server, account.key, body, { headers, signal: client.signal }).then(
    async ({ body: stream }) => {
      await stream?.getReader().read();
      client.abort();
    },
  );
  await server.upstream.waitFor((request) => request.tag === name);
  if (body.stream !== true) client.abort();
  await left.catch(() => undefined);
  const row = await awaitRequest(server, name);
  expect(row).toMatchObject({ outcome: "client_closed", state: "settled" });
  expect(row.chargedNanos).toBeGreaterThan(0n);
  // A call that called the upstream again would be answered.
  server.upstream.open(name);
  return `gen-${row.id.replaceAll("-", "")}`;
}

async function countCalls() {
  return { asked: server.upstream.requests.length, ...(await readMoney(server, account.id)) };
}

async function expectRefused(name: string, body: JsonObject, generation: string): Promise<void> {
  const before = await countCalls();
  for (let time = 0; time < 2; time += 1) {
    const answer = await postChat(server, account.key, body, {
      headers: { "idempotency-key": name },
    });
    expect(answer.headers.get("x-should-retry")).toBe("false");
    const fault = { status: 409, code: "conflict", param: "Idempotency-Key" };
    const error = await expectFault(answer, fault);
    expect(at(error, "metadata.generation_id")).toBe(generation);
    expect(error.message).toContain(generation);
  }
  expect(await countCalls()).toEqual(before);
}

const calls: readonly (readonly [string, JsonObject])[] = [
  ["a whole answer", {}],
  ["a stream whose cost can be seen", { stream: true }],
  ["a stream whose cost cannot be seen", { stream: true, include_reasoning: false }],
];

test.each(calls)("%s is charged once and not run again", async (name, fields) => {
  const body = chatBody({ tag: name, gate: true }, fields);
  const generation = await leave(name, body);
  await expectRefused(name, body, generation);
});

test("nor is it run again if its process dies before it has stored the charge", async () => {
  const name = "lost";
  const body = chatBody({ tag: name, gate: true });
  const generation = await leave(name, body);
  await expectRefused(name, body, generation);
  const { sql } = server.owner;
  const instanceId = newId();
  await sql`insert into instances (id, heartbeat_at) values (${instanceId}, now() - interval '1 hour')`;
  await sql`
    update stored_answers set finished_at = null, instance_id = ${instanceId}
     where id = (select id from stored_answers order by created_at desc limit 1)`;
  await expectRefused(name, body, generation);
});
