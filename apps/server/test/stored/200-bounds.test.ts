// How long what is stored is kept, how much of it, and how much of it a call may continue.
import { afterEach, expect, test } from "bun:test";
import {
  at,
  expectCleanBooks,
  expectFault,
  openAccount,
  readJson,
  readMoney,
  startTestServer,
  useServer,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import { useInteractions } from "./use-interactions.fixture.ts";
import { assistant, storedEnvironment, user, useStored } from "./use-stored.fixture.ts";

const { server, account } = await useServer(
  startTestServer({
    environment: { ...storedEnvironment, RESPONSES_PER_ACCOUNT: "60", RESPONSES_KEPT_HOURS: "48" },
  }),
);
const stored = useStored(server, account);
const { ask, post, say, create, lastMessages } = stored;
afterEach(() => expectCleanBooks(server));
const { sql } = server.owner;

const uuidOf = (id: unknown) => String(id).replace(/^[a-z]+_/, "");
const hoursLeft = async (id: unknown) => {
  const [row] = await sql<{ hours: number }[]>`
    select extract(epoch from expires_at - now())::float8 / 3600 as hours
      from objects where id = ${uuidOf(id)}::uuid`;
  return Math.round(row?.hours ?? -1);
};
const expireIn = (id: unknown, hours: number) =>
  sql`update objects set expires_at = now() + ${hours} * interval '1 hour' where id = ${uuidOf(id)}::uuid`;

test("a chain of 50 turns is one prompt in its order, and is billed as that", async () => {
  const ada = await openAccount(server);
  let previous: unknown;
  const expected = [];
  for (let turn = 0; turn < 50; turn += 1) {
    const input = `question ${turn}`;
    const fields = previous === undefined ? { input } : { input, previous_response_id: previous };
    previous = (await say(`answer ${turn}`, { ...fields, stream: turn % 2 === 1 }, ada.key)).id;
    expected.push(user(input), assistant(`answer ${turn}`));
  }
  expect(lastMessages()).toEqual(expected.slice(0, -1));
  const whole = { model: "test/cheap", input: expected };
  const continued = { model: "test/cheap", input: [], previous_response_id: previous };
  const counts = [];
  for (const body of [whole, continued]) {
    const { input_tokens } = await readJson(await post("/responses/input_tokens", body, ada.key));
    const { cost } = await readJson(await post("/estimate", body, ada.key));
    counts.push({ input_tokens, cost });
  }
  expect(counts[1]).toEqual(counts[0]);
}, 120_000);

test("what a response continues is kept for as long as itself", async () => {
  const first = await say("one", { input: "1" });
  const second = await say("two", { input: "2", previous_response_id: first.id });
  await expireIn(first.id, 1);
  await expireIn(second.id, 2);
  const third = await say("three", { input: "3", previous_response_id: second.id });
  expect(await Promise.all([first, second, third].map(({ id }) => hoursLeft(id)))).toEqual([
    48, 48, 48,
  ]);
});

test("a conversation is kept for as long as it is used, with its items", async () => {
  const { id } = await readJson(await post("/conversations", { items: [user("a")] }));
  await sql`update objects set expires_at = now() + interval '1 hour'
             where id = ${uuidOf(id)}::uuid or parent_id = ${uuidOf(id)}::uuid`;
  await say("b", { input: "hi", conversation: id, store: false });
  const rows = await sql<{ hours: number }[]>`
    select round(extract(epoch from expires_at - now()) / 3600)::int as hours
      from objects where id = ${uuidOf(id)}::uuid or parent_id = ${uuidOf(id)}::uuid`;
  expect(rows.map(({ hours }) => hours)).toEqual([48, 48, 48]);
});

test("what has expired is as if it had never existed", async () => {
  const { id } = await say("one", { input: "1" });
  await expireIn(id, -1);
  expect((await ask(`/responses/${id}`)).status).toBe(404);
  expect((await create({ input: "2", previous_response_id: id })).status).toBe(400);
});

test("an account that is full is answered all the same, and the response says that it is not stored", async () => {
  const ada = await openAccount(server);
  await sql`insert into objects (account_id, id, project_id, key_id, kind, state, size, expires_at)
    select ${ada.id}, gen_random_uuid(), ${ada.id}, gen_random_uuid(), 'response', 'writing', 1,
           now() + interval '1 hour'
      from generate_series(1, 60)`;
  for (const stream of [false, true]) {
    const response = await say("not stored", { input: "hi", stream }, ada.key);
    expect([response.store, response.status]).toEqual([false, "completed"]);
    expect(at(response, "output.0.content.0.text")).toBe("not stored");
  }
  const form = new FormData();
  form.append("purpose", "user_data");
  form.append("file", new Blob(["text"]), "a.txt");
  expect((await ask("/files", { method: "POST", body: form }, ada.key)).status).toBe(200);
});

test("an item is deleted from the conversation of an account that is full", async () => {
  const ada = await openAccount(server);
  const large = user("long ".repeat(40_000));
  for (const last of [user("b"), large]) {
    const body = { items: [user("a"), last] };
    const { id } = await readJson(await post("/conversations", body, ada.key));
    const path = `/conversations/${id}/items`;
    const { first_id: second, last_id: first } = await readJson(await ask(path, {}, ada.key));
    await sql`insert into objects (account_id, id, project_id, key_id, kind, state, size, expires_at)
      select ${ada.id}, gen_random_uuid(), ${ada.id}, gen_random_uuid(), 'response', 'writing', 1,
             now() + interval '1 hour'
        from generate_series(1, 58)`;
    expect((await post(path, body, ada.key)).status).toBe(403);
    const deleted = await ask(`${path}/${first}`, { method: "DELETE" }, ada.key);
    expect(deleted.status).toBe(200);
    expect(await readJson(await ask(path, {}, ada.key))).toMatchObject({ data: [{ id: second }] });
    await sql`delete from objects where account_id = ${ada.id} and state = 'writing'`;
    await ask(`/conversations/${id}`, { method: "DELETE" }, ada.key);
  }
});

test("a conversation whose items have no room is not made", async () => {
  const ada = await openAccount(server);
  await sql`insert into objects (account_id, id, project_id, key_id, kind, state, size, expires_at)
    select ${ada.id}, gen_random_uuid(), ${ada.id}, gen_random_uuid(), 'response', 'writing', 1,
           now() + interval '1 hour'
      from generate_series(1, 59)`;
  const refused = await post("/conversations", { items: [user("a")] }, ada.key);
  expect(refused.status).toBe(403);
  const left = await sql`select kind from objects
    where account_id = ${ada.id} and kind in ('conversation', 'turn') and state <> 'deleted'`;
  expect(left).toHaveLength(0);
});

test("what cannot be stored in time is not stored later: the response has said so", async () => {
  await say("warm", { input: "hi" });
  const { id } = await readJson(await post("/conversations", {}));
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = sql.begin(async (tx) => {
    await tx`select id from accounts where id = ${account.id} for update`;
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  const late = await say("late", { input: "hi", conversation: id });
  released.resolve();
  await holding;
  expect(late).toMatchObject({ store: false, conversation: null, status: "completed" });
  // Statements of an account run one after the other: this one comes after those that were waiting.
  const next = await say("next", { input: "hi" });
  expect(next.store).toBe(true);
  const isGone = async () => {
    const turns =
      await sql`select 1 from objects where parent_id = ${uuidOf(id)}::uuid and state = 'ready'`;
    return turns.length === 0 && (await hoursLeft(late.id)) === -1;
  };
  await eventually("its rows to go", isGone);
}, 120_000);

test("a large response is stored beside the row, read whole, and gone when it is deleted", async () => {
  const text = "long ".repeat(40_000);
  const response = await say("short", { input: text });
  const next = await say("ok", { input: "and?", previous_response_id: response.id });
  expect(lastMessages()).toEqual([user(text), assistant("short"), user("and?")]);
  expect(at(await readJson(await ask(`/responses/${next.id}`)), "id")).toBe(String(next.id));
  expect((await ask(`/responses/${response.id}`, { method: "DELETE" })).status).toBe(200);
});

test("a call that continues more than a request may have is refused, before anything is read or held", async () => {
  const { id } = await say("one", { input: "1" });
  await sql`update objects set size = 90 * 1024 * 1024 where id = ${uuidOf(id)}::uuid`;
  const before = await readMoney(server, account.id);
  await expectFault(await create({ input: "2", previous_response_id: id }), {
    status: 413,
    code: "request_too_large",
    param: "previous_response_id",
  });
  expect(await readMoney(server, account.id)).toEqual(before);
  await ask(`/responses/${id}`, { method: "DELETE" });
});

test("an interaction that continues more than a request may have is refused in the same way", async () => {
  const interactions = useInteractions(server, account);
  const { id } = await interactions.say("one", { input: "1" });
  await sql`update objects set size = 90 * 1024 * 1024
             where id = ${id.slice("gen-".length)}::uuid`;
  const before = await readMoney(server, account.id);
  const refused = await interactions.create({ input: "2", previous_interaction_id: id });
  expect(refused.status).toBe(413);
  expect(at(await readJson(refused), "error.details.1.fieldViolations.0.field")).toBe(
    "previous_interaction_id",
  );
  expect(await readMoney(server, account.id)).toEqual(before);
  expect(server.services.gateway.limiter.bodyBytes).toBe(0);
  await interactions.ask(`/${id}`, "DELETE");
});

test("a call that is too large only with its own input is refused as well, and the room of both is given back", async () => {
  const half = "long ".repeat(2.2 * 1024 * 1024);
  const { id } = await readJson(await post("/conversations", { items: [user(half)] }));
  const before = await readMoney(server, account.id);
  const requests = server.upstream.requests.length;
  await expectFault(await create({ input: half, conversation: id }), {
    status: 413,
    code: "request_too_large",
    param: "conversation",
  });
  expect(server.upstream.requests).toHaveLength(requests);
  expect(await readMoney(server, account.id)).toEqual(before);
  expect(server.services.gateway.limiter.bodyBytes).toBe(0);
  await ask(`/conversations/${id}`, { method: "DELETE" });
});
