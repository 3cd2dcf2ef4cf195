// Stored responses and conversations belong to the project of the key that made them: nobody else reads, continues, adds to or deletes
// them, and the answer to their ids is that to ids that never existed.
import { afterEach, expect, test } from "bun:test";
import {
  expectCleanBooks,
  expectFault,
  openAccount,
  readJson,
  startTestServer,
  useServer,
} from "../harness/index.ts";
import { storedEnvironment, user, useStored } from "./use-stored.fixture.ts";

const { server, account } = await useServer(startTestServer({ environment: storedEnvironment }));
const { ask, post, say, create, openOtherProject } = useStored(server, account);
afterEach(() => expectCleanBooks(server));

const zeros = "0".repeat(32);

test("keys of another account and of another project get what an id that never existed gets", async () => {
  const { id } = await say("a secret", { input: "hi" });
  const conversation = String(
    (await readJson(await post("/conversations", { items: [user("s")] }))).id,
  );
  const items = await readJson(await ask(`/conversations/${conversation}/items`));
  const digits = String(id).slice(5);
  const eve = await openAccount(server);
  for (const key of [eve.key, await openOtherProject(account)]) {
    const texts = new Set<string>();
    for (const one of [id, `resp_${zeros}`, "resp_1", digits, `resp_${conversation.slice(5)}`]) {
      for (const [path, method] of [
        ["", "GET"],
        ["", "DELETE"],
        ["/input_items", "GET"],
        ["/cancel", "POST"],
      ] as const) {
        const answer = await ask(`/responses/${one}${path}`, { method }, key);
        const { message } = await expectFault(answer, {
          status: 404,
          code: "not_found",
          param: "id",
        });
        texts.add(String(message));
      }
      const refused = await create({ input: "hi", previous_response_id: one }, key);
      await expectFault(refused, {
        status: 400,
        code: "previous_response_not_found",
        param: "previous_response_id",
      });
    }
    for (const one of [conversation, `conv_${zeros}`, "conv_1", `conv_${digits}`]) {
      const notFound = { status: 404, code: "not_found", param: "conversation" };
      const asked = [
        await ask(`/conversations/${one}`, {}, key),
        await ask(`/conversations/${one}`, { method: "DELETE" }, key),
        await post(`/conversations/${one}`, { metadata: {} }, key),
        await ask(`/conversations/${one}/items`, {}, key),
        await post(`/conversations/${one}/items`, { items: [user("x")] }, key),
        await ask(`/conversations/${one}/items/${items.first_id}`, {}, key),
        await ask(`/conversations/${one}/items/${items.first_id}`, { method: "DELETE" }, key),
        await create({ input: "hi", conversation: one }, key),
      ];
      for (const answer of asked) texts.add(String((await expectFault(answer, notFound)).message));
    }
    expect(texts.size).toBe(2);
  }
  expect((await ask(`/responses/${id}`)).status).toBe(200);
  expect(await readJson(await ask(`/conversations/${conversation}/items`))).toEqual(items);
});

test("a stored response is no file, and a file is no response", async () => {
  const { id } = await say("a secret", { input: "hi" });
  const digits = String(id).slice(5);
  for (const path of ["", "/content"]) {
    expect((await ask(`/files/file-${digits}${path}`)).status).toBe(404);
  }
  expect((await ask(`/files/file-${digits}`, { method: "DELETE" })).status).toBe(404);
  expect(await readJson(await ask("/files"))).toMatchObject({ data: [] });
  const form = new FormData();
  form.append("purpose", "user_data");
  form.append("file", new Blob(["text"]), "a.txt");
  const file = await readJson(await ask("/files", { method: "POST", body: form }));
  const asResponse = `resp_${String(file.id).slice(5)}`;
  expect((await ask(`/responses/${asResponse}`)).status).toBe(404);
  expect((await ask(`/responses/${asResponse}`, { method: "DELETE" })).status).toBe(404);
  expect((await create({ input: "hi", previous_response_id: asResponse })).status).toBe(400);
  expect((await ask(`/files/${file.id}`)).status).toBe(200);
  expect((await ask(`/responses/${id}`)).status).toBe(200);
});
