// Conversations: calls that name one continue it and are added to it, a turn at a time, and its items are read and deleted by id.
import { afterEach, describe, expect, test } from "bun:test";
import {
  asObject,
  at,
  expectCleanBooks,
  expectFault,
  type JsonObject,
  readJson,
  startTestServer,
  useServer,
} from "../harness/index.ts";
import { assistant, storedEnvironment, user, useStored } from "./use-stored.fixture.ts";

const { server, account } = await useServer(startTestServer({ environment: storedEnvironment }));
const { ask, post, say, create, lastMessages } = useStored(server, account);
afterEach(() => expectCleanBooks(server));

const begin = async (body: JsonObject = {}) => readJson(await post("/conversations", body));
const listOf = async (id: unknown, query = "?order=asc") =>
  asObject(await readJson(await ask(`/conversations/${id}/items${query}`)));
const textsOf = (list: JsonObject) =>
  Array.isArray(list.data) ? list.data.map((item: unknown) => at(item, "content.0.text")) : [];

describe.each([false, true])("stream: %p", (stream) => {
  test("a call continues the conversation that it names, and is added to it", async () => {
    const { id } = await begin({ items: [user("My name is Ada.")] });
    const first = await say("Hello Ada.", { input: "hi", conversation: id, stream });
    expect(first.conversation).toEqual({ id });
    await say("Ada.", { input: [user("Who am I?")], conversation: { id }, store: false, stream });
    expect(lastMessages()).toEqual([
      user("My name is Ada."),
      user("hi"),
      assistant("Hello Ada."),
      user("Who am I?"),
    ]);
    expect(textsOf(await listOf(id))).toEqual([
      "My name is Ada.",
      "hi",
      "Hello Ada.",
      "Who am I?",
      "Ada.",
    ]);
  });

  test("a call that fails adds nothing", async () => {
    const { id } = await begin();
    server.upstream.script(() => ({ deltas: 5, cutAfterDeltas: 2 }));
    await (await create({ input: "hi", conversation: id, stream })).text();
    expect(textsOf(await listOf(id))).toEqual([]);
  });
});

test("a conversation is read, changed and deleted with its items", async () => {
  const made = await begin({ metadata: { topic: "one" } });
  expect(made).toMatchObject({ object: "conversation", metadata: { topic: "one" } });
  const path = `/conversations/${made.id}`;
  expect(await readJson(await ask(path))).toEqual(made);
  const changed = await readJson(await post(path, { metadata: { topic: "two" } }));
  expect(changed).toEqual({ ...made, metadata: { topic: "two" } });
  await post(`${path}/items`, { items: [user("kept")] });
  const deleted = await readJson(await ask(path, { method: "DELETE" }));
  expect(deleted).toEqual({ id: made.id, object: "conversation.deleted", deleted: true });
  const notFound = { status: 404, code: "not_found", param: "conversation" };
  await expectFault(await ask(path), notFound);
  await expectFault(await ask(`${path}/items`), notFound);
  await expectFault(await create({ input: "hi", conversation: made.id }), notFound);
});

test("items are listed in pages, read and deleted one by one", async () => {
  const { id } = await begin();
  const path = `/conversations/${id}/items`;
  const words = ["a", "b", "c", "d", "e"];
  await post(path, { items: words.slice(0, 2).map(user) });
  const added = asObject(await readJson(await post(path, { items: words.slice(2).map(user) })));
  expect(textsOf(added)).toEqual(["c", "d", "e"]);
  const first = await listOf(id, "?limit=2");
  expect([textsOf(first), first.has_more]).toEqual([["e", "d"], true]);
  const second = await listOf(id, `?limit=3&after=${first.last_id}`);
  expect([textsOf(second), second.has_more]).toEqual([["c", "b", "a"], false]);
  const item = `${path}/${at(added, "data.1.id")}`;
  expect(at(await readJson(await ask(item)), "content.0.text")).toBe("d");
  expect((await readJson(await ask(item, { method: "DELETE" }))).id).toBe(id);
  await expectFault(await ask(item), { status: 404, code: "not_found", param: "item_id" });
  expect(textsOf(await listOf(id))).toEqual(["a", "b", "c", "e"]);
});

test("calls at the same time are added as whole turns, one after the other", async () => {
  const { id } = await begin();
  server.upstream.script(() => ({ deltas: 1 }));
  const inputs = Array.from({ length: 8 }, (_, index) => `question ${index}`);
  const answers = await Promise.all(
    inputs.map(async (input) => readJson(await create({ input, conversation: id }))),
  );
  expect(answers.map(({ conversation }) => conversation)).toEqual(inputs.map(() => ({ id })));
  const { data } = await listOf(id, "?order=asc&limit=100");
  const roles = Array.isArray(data) ? data.map((item: unknown) => at(item, "role")) : [];
  expect(roles).toEqual(inputs.flatMap(() => ["user", "assistant"]));
  const asked = textsOf(await listOf(id, "?order=asc&limit=100")).filter((_, at) => at % 2 === 0);
  expect(asked.toSorted()).toEqual(inputs);
});

test("what a compaction stands for is not counted, so a conversation goes on behind it", async () => {
  const { sql } = server.owner;
  const { id } = await begin({ items: [user("old")] });
  const uuid = String(id).slice("conv_".length);
  const compact = { input: [user("more"), { type: "compaction_trigger" }], conversation: id };
  expect((await say("A summary.", compact)).conversation).toEqual({ id });
  await sql`insert into objects (account_id, id, project_id, key_id, kind, state, purpose, media_type, size,
      expires_at, sealed_head, sealed, parent_id, position)
    select account_id, gen_random_uuid(), project_id, key_id, kind, state, purpose, media_type, size,
           expires_at, sealed_head, sealed, parent_id, -n
      from objects, generate_series(1, 2500) n where parent_id = ${uuid}::uuid and position = 1`;
  const large = 90 * 1024 * 1024;
  await sql`update objects set size = ${large} where parent_id = ${uuid}::uuid and position = 1`;
  await say("Hello.", { input: "next", conversation: id });
  const sent = JSON.stringify(lastMessages());
  expect(sent).toContain("A summary.");
  expect(sent).toContain("next");
  expect(sent).not.toContain("old");
  await ask(`/conversations/${id}`, { method: "DELETE" });
});

test.each<[string, JsonObject, JsonObject]>([
  [
    "more than 20 items",
    { items: Array(21).fill(user("x")) },
    { code: "array_above_max_length", param: "items" },
  ],
  [
    "an item of an unknown type",
    { items: [{ type: "nonsense" }] },
    { code: "invalid_value", param: "items[0].type" },
  ],
  [
    "a reference to reasoning",
    { items: [user("x"), { type: "item_reference", id: "rs_x" }] },
    { code: "invalid_value", param: "items[1]" },
  ],
  [
    "a reference to a message",
    { items: [{ type: "item_reference", id: "msg_x" }] },
    { code: "invalid_value", param: "items[0]" },
  ],
  [
    "a reference without a type",
    { items: [{ id: "rs_x" }] },
    { code: "invalid_value", param: "items[0]" },
  ],
  [
    "metadata that is no object of texts",
    { metadata: { a: 1 } },
    { code: "invalid_type", param: "metadata.a" },
  ],
  ["a field that does not exist", { title: "x" }, { code: "invalid_value", param: "title" }],
])("%s: refused by name", async (_, body, fault) => {
  const refused = await post("/conversations", body);
  expect(refused.status).toBe(400);
  expect((await readJson(refused)).error).toMatchObject(fault);
  if (body.items === undefined) return;
  const { id } = await begin();
  const added = await post(`/conversations/${id}/items`, body);
  expect((await readJson(added)).error).toMatchObject(fault);
  expect(textsOf(await listOf(id))).toEqual([]);
});
