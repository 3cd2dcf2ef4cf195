// Bodies designed to cost more than they should, or to be read in two ways: refused with 400 before
// anything is held, or read in the same way by us and by the upstream.
import { expect, test } from "bun:test";
import {
  asObject,
  at,
  chatBody,
  expectCleanBooks,
  readCharges,
  readMoney,
  startTestServer,
  testModels,
  useServer,
} from "../harness/index.ts";

const { server, account } = await useServer(startTestServer());

const post = (path: string, body: string | Blob) =>
  fetch(`${server.baseUrl}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
    body,
  });

const paths = ["/chat/completions", "/responses", "/messages", "/embeddings", "/completions"];
const million = Array.from({ length: 1_000_000 }, (_, index) => `"k${index}":0`).join(",");
const text = (value: string) => `{"model":"${testModels.cheap}","messages":[{"content":${value}}]}`;
const bytes = (...values: number[]) => new Blob(['{"model":"', new Uint8Array(values), '"}']);

const hostile: readonly (readonly [string, string | Blob])[] = [
  ["100,000 levels of arrays", "[".repeat(100_000)],
  ["100,000 levels of closed objects", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
  ["100,000 levels in an unknown field", `{"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
  ["a million keys", `{${million}}`],
  ["a million equal keys", `{${'"a":0,'.repeat(999_999)}"a":0}`],
  ["a raw NUL", text('"a\0b"')],
  ["half a surrogate pair in UTF-8", bytes(0xed, 0xa0, 0x80)],
  ["bytes that are not UTF-8", bytes(0xff, 0xfe)],
  ["an overlong slash", bytes(0xc0, 0xaf)],
];

test.each(hostile)(
  "FC10: %s is refused by every endpoint, and nothing is charged",
  async (_, body) => {
    const before = await readMoney(server, account.id);
    for (const path of paths) {
      const answer = await post(path, body);
      const error = asObject(asObject(await answer.json()).error);
      expect([path, answer.status, error.type]).toEqual([path, 400, "invalid_request_error"]);
    }
    expect(server.upstream.requests).toHaveLength(0);
    expect(await readMoney(server, account.id)).toEqual(before);
  },
);

const repeated: readonly string[] = [
  '"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://example.com/a.png","url":"http://10.0.0.7/a.png"}}]}]',
  '"messages":[{"role":"user","content":[{"type":"text","text":"a","t\\u0079pe":"text"}]}]',
  '"messages":[{"role":"user","role":"user","content":"a"}]',
  '"messages":[{"role":"user","content":"a"}],"x":{"a":[{"b":{},"b" : {}}]}',
];

test.each(repeated)(
  "a key that a nested object has twice is refused everywhere: %s",
  async (part) => {
    for (const path of paths) {
      const rest = '"input":"a","prompt":"a","max_tokens":9';
      const answer = await post(path, `{"model":"${testModels.cheap}",${rest},${part}}`);
      const error = asObject(asObject(await answer.json()).error);
      expect([path, answer.status]).toEqual([path, 400]);
      expect(error.message).toMatch(/an object in it has the key '(?:url|type|role|b)' twice/);
    }
  },
);

test("FC10: the last of duplicate keys counts, for us and for the upstream", async () => {
  const { messages } = chatBody({ deltas: 3 });
  const expensive = `"model":"${testModels.expensive}"`;
  const many = '"messages":[{"role":"user","content":"an earlier message"}]';
  const body = `{${expensive},${many},"max_tokens":9,"max_tokens":2,"messages":${JSON.stringify(messages)},"model":"${testModels.cheap}"}`;
  const answer = await post("/chat/completions", body);
  expect(answer.status).toBe(200);
  const usage = at(await answer.json(), "usage");
  expect(at(usage, "completion_tokens")).toBe(2);
  const sent = server.upstream.requests.at(-1);
  expect(sent?.parsed).toMatchObject({ model: "upstream-cheap", max_tokens: 2, messages });
  // Parsers that take the first one find the same.
  for (const name of ["model", "messages", "max_tokens"]) {
    expect([name, sent?.body.split(`"${name}":`).length]).toEqual([name, 2]);
  }
  await expectCleanBooks(server);
  const prompt = BigInt(Number(at(usage, "prompt_tokens")));
  expect(await readCharges(server, account)).toEqual([prompt * 100n + 2n * 400n]);
});
