// Responses that their caller wants to be stored: they are read, continued and deleted by id, and the answer tells whether they are.
import { afterEach, describe, expect, test } from "bun:test";
import {
  asObject,
  at,
  expectCleanBooks,
  expectFault,
  findSchemaProblems,
  readJson,
  startTestServer,
  testCatalog,
  useServer,
} from "../harness/index.ts";
import { assistant, storedEnvironment, user, useStored } from "./use-stored.fixture.ts";

const { server, account } = await useServer(
  startTestServer({
    environment: storedEnvironment,
    catalog: (baseUrl) =>
      testCatalog(baseUrl).replace(
        "id: scripted,",
        "id: scripted, dataCollection: deny, zdr: true,",
      ),
  }),
);
const { ask, say, create, responseOf, lastMessages, countRows } = useStored(server, account);
afterEach(() => expectCleanBooks(server));

describe.each([false, true])("stream: %p", (stream) => {
  test("a response is read as it was answered, as soon as the answer ends", async () => {
    const answered = await say("It is clear.", { input: "hi", stream });
    expect(answered.store).toBe(true);
    const read = await readJson(
      await ask(`/responses/${answered.id}?include[]=reasoning.encrypted_content`),
    );
    expect(read).toEqual(answered);
    expect(findSchemaProblems("Response", read)).toEqual([]);
  });

  test.each<[string, object]>([
    ["without store", { store: undefined }],
    ["with store: false", { store: false }],
    ["with zdr", { provider: { zdr: true } }],
    ["with data_collection: deny", { provider: { data_collection: "deny" } }],
  ])("%s nothing is stored, and the response says so", async (_, fields) => {
    const before = await countRows("response");
    const response = await say("Private.", { input: "hi", stream, ...fields });
    expect(response.store).toBe(false);
    expect(await countRows("response")).toBe(before);
    expect((await ask(`/responses/${response.id}`)).status).toBe(404);
  });

  test("a response continues all before it, and the instructions are its own", async () => {
    const first = await say("one", { input: "1", instructions: "Count.", stream });
    const second = await say("two", { input: [user("2")], previous_response_id: first.id, stream });
    const third = await say("three", { input: "3", previous_response_id: second.id, stream });
    expect(third.previous_response_id).toBe(String(second.id));
    expect(lastMessages()).toEqual([
      user("1"),
      assistant("one"),
      user("2"),
      assistant("two"),
      user("3"),
    ]);
    const items = asObject(await readJson(await ask(`/responses/${third.id}/input_items`)));
    expect(items).toMatchObject({ object: "list", has_more: false });
    expect(at(items, "data.0")).toMatchObject({
      role: "user",
      content: [{ type: "input_text", text: "3" }],
    });
  });

  test("an answer that breaks off or fails is not stored", async () => {
    const before = await countRows("response");
    server.upstream.script(() => ({ deltas: 5, cutAfterDeltas: 2 }));
    const answer = await create({ input: "hi", store: true, stream });
    if (stream) expect((await responseOf(answer)).store).toBe(false);
    else expect(answer.status).toBe(502);
    expect(await countRows("response")).toBe(before);
  });
});

test("a deleted response is gone, and what continued it is not continued without it", async () => {
  const first = await say("one", { input: "1" });
  const second = await say("two", { input: "2", previous_response_id: first.id });
  const deleted = await ask(`/responses/${first.id}`, { method: "DELETE" });
  expect(await readJson(deleted)).toEqual({ id: first.id, object: "response", deleted: true });
  const notFound = { status: 404, code: "not_found", param: "id" };
  await expectFault(await ask(`/responses/${first.id}`), notFound);
  await expectFault(await ask(`/responses/${first.id}`, { method: "DELETE" }), notFound);
  expect((await ask(`/responses/${second.id}`)).status).toBe(200);
  const requests = server.upstream.requests.length;
  await expectFault(await create({ input: "3", previous_response_id: second.id }), {
    status: 400,
    type: "invalid_request_error",
    code: "previous_response_not_found",
    param: "previous_response_id",
  });
  expect(server.upstream.requests).toHaveLength(requests);
});

test("only a background response could be cancelled", async () => {
  const { id } = await say("one", { input: "1" });
  const refused = await ask(`/responses/${id}/cancel`, { method: "POST" });
  await expectFault(refused, { status: 400, code: null });
});
