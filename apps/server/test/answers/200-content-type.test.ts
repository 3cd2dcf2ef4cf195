// Every JSON answer under `/v1` has the same content type, whichever endpoint returns it.
import { expect, test } from "bun:test";
import {
  getPath,
  type JsonObject,
  readJson,
  scriptText,
  startTestServer,
  testModels,
  useServer,
} from "../harness/index.ts";

const { server, account } = await useServer(startTestServer());

const text = scriptText({ deltas: 1 });
const messages = [{ role: "user", content: text }];
const model = testModels.cheap;

const post = (path: string, body: JsonObject) =>
  fetch(`${server.baseUrl}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

test.each<[string, JsonObject]>([
  ["/chat/completions", { model, messages }],
  ["/responses", { model, input: text }],
  ["/messages", { model, messages, max_tokens: 50 }],
  ["/messages/count_tokens", { model, messages }],
  ["/responses/input_tokens", { model, input: text }],
  ["/completions", { model, prompt: text }],
  ["/embeddings", { model: testModels.embeddings, input: "Hello" }],
  ["/estimate", { model, messages }],
])("POST %s", async (path, body) => {
  const answer = await post(path, body);
  await answer.text();
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
  const refused = await post(path, {});
  await refused.text();
  expect([refused.status, refused.headers.get("content-type")]).toEqual([400, "application/json"]);
});

test("GET", async () => {
  const { id } = await readJson(await post("/chat/completions", { model, messages }));
  const paths = [
    "/models",
    `/models/${model}`,
    `/models/${model}/endpoints`,
    "/models/user",
    "/credits",
    "/key",
    "/auth/key",
    `/generation?id=${String(id)}`,
  ];
  for (const path of paths) {
    const answer = await getPath(server, account.key, path);
    const shown = [path, answer.status, answer.headers.get("content-type")];
    expect(shown).toEqual([path, 200, "application/json"]);
  }
});
