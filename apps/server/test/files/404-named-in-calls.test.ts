// What a call is told that names a file which its key may not read, or not for this: the field, before anything is held or sent, and
// the same sentence for every file that the project does not have.
import { expect, test } from "bun:test";
import {
  asObject,
  at,
  expectFault,
  type JsonObject,
  openAccount,
  postJson,
  readJson,
  readMoney,
  startTestServer,
  testModels,
  useServer,
} from "../harness/index.ts";
import { filesEnvironment, useFiles } from "./use-files.fixture.ts";

const { server, account } = await useServer(startTestServer({ environment: filesEnvironment }));
const { ask, upload, openOtherProject } = useFiles(server);

const never = `file-${"0".repeat(32)}`;
const idOf = async (answer: Promise<Response>) => String((await readJson(await answer)).id);
const keep = (content: string | Uint8Array, purpose = "user_data", key = account.key) =>
  idOf(upload(key, content, { purpose }));

const chat = (...ids: readonly string[]): JsonObject => ({
  model: testModels.vision,
  messages: [{ role: "user", content: ids.map((id) => ({ type: "file", file: { file_id: id } })) }],
});
const param = "messages[0].content[0].file.file_id";
const post = (key: string, path: string, body: JsonObject) => postJson(server, key, path, body);

test("files of others, expired, deleted and of nobody are the same 404, and nothing is sent or held", async () => {
  const id = await keep("a secret");
  const eve = await openAccount(server);
  const deleted = await keep("a", "user_data", eve.key);
  await ask(eve.key, `/${deleted}`, { method: "DELETE" });
  const expired = await keep("a", "user_data", eve.key);
  await server.owner.sql`update objects set expires_at = now() where account_id = ${eve.id}`;
  const sent = server.upstream.requests.length;
  const texts = new Set<string>();
  const otherKey = await openOtherProject(account);
  for (const [key, named] of [
    [eve.key, id],
    [otherKey, id],
    [eve.key, deleted],
    [eve.key, expired],
    [eve.key, never],
    [account.key, never],
  ] as const) {
    for (const path of ["/chat/completions", "/estimate"]) {
      const fault = { status: 404, code: "not_found", param };
      texts.add(String((await expectFault(await post(key, path, chat(named)), fault)).message));
    }
  }
  expect([...texts]).toEqual([
    "No file of the project of this key has this id. GET /v1/files lists those there are.",
  ]);
  expect(server.upstream.requests.length).toBe(sent);
  expect(String((await readMoney(server, eve.id)).balanceNanos)).toBe("10000000000");
});

test("each language names the field, in its own form", async () => {
  const messages = await post(account.key, "/messages", {
    model: testModels.anthropic,
    max_tokens: 9,
    messages: [
      { role: "user", content: [{ type: "image", source: { type: "file", file_id: never } }] },
    ],
  });
  expect(messages.status).toBe(404);
  const body = await readJson(messages);
  expect([body.type, at(body, "error.type")]).toEqual(["error", "not_found_error"]);
  const responses = await post(account.key, "/responses", {
    model: testModels.vision,
    input: [{ role: "user", content: [{ type: "input_image", file_id: never }] }],
  });
  const inInput = { status: 404, code: "not_found", param: "input[0].content[0].file_id" };
  await expectFault(responses, inInput);
  const gemini = await post(account.key, `beta/models/${testModels.vision}:generateContent`, {
    contents: [{ parts: [{ fileData: { fileUri: never } }] }],
  });
  expect([gemini.status, at(asObject(await gemini.json()), "error.status")]).toEqual([
    404,
    "NOT_FOUND",
  ]);
  const edits = await post(account.key, "/images/edits", {
    model: testModels.image,
    prompt: "a",
    images: [{ file_id: never }],
  });
  await expectFault(edits, { status: 404, code: "not_found", param: "images[0].file_id" });
});

test("a file of a batch, and one of another kind, is a 400 that names the field", async () => {
  const batch = await keep('{"custom_id":"1"}\n', "batch");
  const ofBatch = await post(account.key, "/chat/completions", chat(batch));
  const { message } = await expectFault(ofBatch, { status: 400, code: "invalid_value", param });
  expect(message).toContain("purpose 'batch'");
  const document = await keep("%PDF-1.7 a document");
  const responses = await post(account.key, "/responses", {
    model: testModels.vision,
    input: [{ role: "user", content: [{ type: "input_image", file_id: document }] }],
  });
  const inInput = { status: 400, code: "invalid_value", param: "input[0].content[0].file_id" };
  await expectFault(responses, inInput);
  const edits = await post(account.key, "/images/edits", {
    model: testModels.image,
    prompt: "a",
    images: [{ file_id: document }],
  });
  await expectFault(edits, { status: 400, code: "invalid_value", param: "images[0].file_id" });
});

test("ids of other services are refused, and never sent to a provider", async () => {
  const sent = server.upstream.requests.length;
  const answer = await post(account.key, "/responses", {
    model: testModels.vision,
    input: [{ role: "user", content: [{ type: "input_file", file_id: "file-abc123" }] }],
  });
  const fault = { status: 400, code: "unsupported_parameter" };
  await expectFault(answer, { ...fault, param: "input[0].content[0].file_id" });
  expect(server.upstream.requests.length).toBe(sent);
});

test("a request is bounded with its files, however often it names one", async () => {
  const third = await keep(Buffer.concat([Buffer.from("%PDF-1.7"), Buffer.alloc(6_000_000, "x")]));
  const tooLarge = { status: 413, code: "request_too_large" };
  const answer = await post(account.key, "/chat/completions", chat(third, third, third));
  const place = "messages[0].content[2].file.file_id";
  const { message } = await expectFault(answer, { ...tooLarge, param: place });
  expect(message).toBe("The request is larger than 20 MiB with the files that it names.");
  const huge = await keep(Buffer.concat([Buffer.from("%PDF-1.7"), Buffer.alloc(30_000_000, "x")]));
  await expectFault(await post(account.key, "/estimate", chat(huge)), { ...tooLarge, param });
});

test("a text that only mentions an id names no file", async () => {
  const answer = await post(account.key, "/chat/completions", {
    model: testModels.plain,
    messages: [{ role: "user", content: `What is ${never}?` }],
  });
  expect([answer.status, (await readJson(answer)).object]).toEqual([200, "chat.completion"]);
});
