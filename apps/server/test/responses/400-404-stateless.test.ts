// Where nothing is kept, requests that need stored responses are refused in the format of OpenAI's errors, by name, and cost
// nothing: no upstream is called.
import { expect, test } from "bun:test";
import {
  at,
  expectCallHeaders,
  findSchemaProblems,
  type JsonObject,
  readJson,
  readMoney,
  startTestServer,
  testModels,
  useServer,
} from "../harness/index.ts";
import { postResponse, responseBody } from "./post-responses.ts";

const { server, account } = await useServer(startTestServer());

test.each<[string, JsonObject]>([
  ["previous_response_id", { previous_response_id: "resp_1" }],
  ["conversation", { conversation: "conv_1" }],
  ["background", { background: true }],
  ["tools[0].type", { tools: [{ type: "web_search" }] }],
  ["tools[0].type", { tools: [{ type: "file_search", vector_store_ids: ["v"] }] }],
  ["tools[0].type", { tools: [{ type: "mcp", server_label: "s" }] }],
])("%s is refused before anything is charged", async (param, fields) => {
  const before = await readMoney(server, account.id);
  const body = responseBody({ deltas: 1 }, fields);
  const refused = await postResponse(server, account.key, { body });
  expect(refused.status).toBe(400);
  expectCallHeaders(refused.headers);
  const told = await readJson(refused);
  expect(findSchemaProblems("ErrorResponse", told)).toEqual([]);
  expect([at(told, "error.code"), at(told, "error.param")]).toEqual([
    "unsupported_parameter",
    param,
  ]);
  expect(server.upstream.requests).toHaveLength(0);
  expect(await readMoney(server, account.id)).toEqual(before);
});

test.each([false, true])(
  "store: true is answered, and the response says that it is not stored, stream: %p",
  async (stream) => {
    const body = responseBody({ deltas: 1 }, { store: true, stream });
    const answer = await postResponse(server, account.key, { body });
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text).toContain('"store":false');
    expect(text).not.toContain('"store":true');
  },
);

test("an image for a model without vision is refused by its own path", async () => {
  const image = { type: "input_image", image_url: "data:image/png;base64,AAAA" };
  const input = [{ role: "user", content: [{ type: "input_text", text: "?" }, image] }];
  const refused = await postResponse(server, account.key, {
    body: { model: testModels.cheap, input },
  });
  expect(refused.status).toBe(400);
  expect(at(await readJson(refused), "error.param")).toBe("input[0].content[1]");
});

test.each([
  ["GET", "/responses/resp_1"],
  ["DELETE", "/responses/resp_1"],
  ["POST", "/responses/resp_1/cancel"],
  ["GET", "/responses/resp_1/input_items"],
])(
  "%s %s answers that nothing is stored, and what its operator has to do",
  async (method, path) => {
    const ask = (key: string) =>
      fetch(server.baseUrl + path, { method, headers: { authorization: `Bearer ${key}` } });
    const answer = await ask(account.key);
    expect(answer.status).toBe(404);
    expectCallHeaders(answer.headers);
    const told = await readJson(answer);
    expect(findSchemaProblems("ErrorResponse", told)).toEqual([]);
    expect(String(at(told, "error.message"))).toContain(
      "responses are not stored here. The operator",
    );
    expect((await ask("sk-wrong")).status).toBe(401);
  },
);

test("other methods are refused with a list of the allowed ones", async () => {
  const answer = await fetch(`${server.baseUrl}/responses`);
  expect(answer.status).toBe(405);
  expect(answer.headers.get("allow")).toBe("POST, OPTIONS");
});

test("without a key, and with a body that is not JSON, errors have their usual format", async () => {
  const anonymous = await postResponse(server, undefined, { body: responseBody({}) });
  expect(anonymous.status).toBe(401);
  expect(findSchemaProblems("ErrorResponse", await readJson(anonymous))).toEqual([]);
  const broken = await postResponse(server, account.key, { body: "{" });
  expect(broken.status).toBe(400);
  expect(at(await readJson(broken), "error.type")).toBe("invalid_request_error");
});
