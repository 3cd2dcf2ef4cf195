// What is deleted while it is read: nothing is continued with a hole, and no item is lost or kept that should not be.
import { afterEach, expect, mock, spyOn, test } from "bun:test";
import {
  at,
  expectCleanBooks,
  expectFault,
  readJson,
  startTestServer,
  useServer,
} from "../harness/index.ts";
import { assistant, storedEnvironment, user, useStored } from "./use-stored.fixture.ts";

const { server, account } = await useServer(startTestServer({ environment: storedEnvironment }));
const { ask, post, say, create, lastMessages } = useStored(server, account);
const { services } = server;
const { readFiles } = services;
afterEach(async () => {
  mock.restore();
  await expectCleanBooks(server);
});

/** Between the statements of a request that find what it needs, the second one, and that read it. */
const betweenFindingAndReading = 3;

/** Does `work` before the statement of the next request that has this number; the first one finds its project. */
function beforeStatement(number: number, work: () => Promise<unknown>): void {
  let left = number;
  spyOn(services, "readFiles").mockImplementation(async (accountId, run) => {
    left -= 1;
    if (left === 0) await work();
    return readFiles(accountId, run);
  });
}

const remove = async (path: string) => {
  expect((await ask(path, { method: "DELETE" })).status).toBe(200);
};
const begin = async (...words: readonly string[]) => {
  const { id } = await readJson(await post("/conversations", { items: words.map(user) }));
  const path = `/conversations/${id}`;
  const { data } = await readJson(await ask(`${path}/items?order=asc`));
  return { id, path, itemAt: (index: number) => `${path}/items/${at(data, `${index}.id`)}` };
};

test("a response that is deleted while it is continued is not continued with a hole", async () => {
  const first = await say("one", { input: "1" });
  const second = await say("two", { input: "2", previous_response_id: first.id });
  beforeStatement(betweenFindingAndReading, () => remove(`/responses/${first.id}`));
  await expectFault(await create({ input: "3", previous_response_id: second.id }), {
    status: 400,
    code: "previous_response_not_found",
    param: "previous_response_id",
  });
});

test("a conversation is continued with what is left of a turn whose item is deleted meanwhile", async () => {
  const { id, itemAt } = await begin("a", "b", "c");
  beforeStatement(betweenFindingAndReading, () => remove(itemAt(1)));
  await say("ok", { input: "d", conversation: id });
  expect(lastMessages()).toEqual([user("a"), user("c"), user("d")]);
  await say("ok", { input: "e", conversation: id });
  expect(lastMessages()).toEqual([user("a"), user("c"), user("d"), assistant("ok"), user("e")]);
});

test.each([2, betweenFindingAndReading])(
  "a conversation that is deleted before statement %d is not continued as an empty one",
  async (number) => {
    const { id, path } = await begin("a");
    beforeStatement(number, () => remove(path));
    await expectFault(await create({ input: "b", conversation: id }), {
      status: 404,
      code: "not_found",
      param: "conversation",
    });
  },
);

test("a list of items has what is left of a turn whose item is deleted meanwhile", async () => {
  const { path, itemAt } = await begin("a", "b", "c");
  beforeStatement(betweenFindingAndReading, () => remove(itemAt(1)));
  const { data } = await readJson(await ask(`${path}/items?order=asc`));
  expect(data).toMatchObject([{ content: [{ text: "a" }] }, { content: [{ text: "c" }] }]);
});

test("items of one turn that are deleted at the same time are all deleted", async () => {
  const { path, itemAt } = await begin("a", "b", "c");
  const beforeStoring = betweenFindingAndReading + 1;
  beforeStatement(beforeStoring, () => remove(itemAt(0)));
  await remove(itemAt(1));
  beforeStatement(beforeStoring, async () => {
    await expectFault(await ask(itemAt(0), { method: "DELETE" }), {
      status: 404,
      code: "not_found",
      param: "item_id",
    });
  });
  await remove(itemAt(2));
  expect((await readJson(await ask(`${path}/items`))).data).toEqual([]);
});

test("a response is stored as it was told where its conversation is deleted before it ends", async () => {
  const { id, path } = await begin();
  // There is nothing to read, so the statement after the one that finds the turns stores.
  beforeStatement(betweenFindingAndReading, () => remove(path));
  const response = await say("ok", { input: "a", conversation: id });
  expect(response).toMatchObject({ store: true, conversation: null });
  expect(await readJson(await ask(`/responses/${response.id}`))).toEqual(response);
});
