// Fields unknown to the gateway reach the upstream byte for byte: it writes only the
// model's name and, on a stream, what billing needs.
import { afterAll, afterEach, expect, test } from "bun:test";
import {
  chatBody,
  expectCleanBooks,
  openAccount,
  postChat,
  providerKey,
  startTestServer,
} from "../harness/index.ts";

const server = await startTestServer();
const account = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

/** Sends this text and returns what the upstream received. */
async function relay(text: string, headers: Record<string, string> = {}) {
  const seen = server.upstream.requests.length;
  const response = await postChat(server, account.key, text, { headers });
  expect({ status: response.status, body: (await response.text()).slice(0, 5) }).toMatchObject({
    status: 200,
  });
  const request = server.upstream.requests[seen];
  if (request === undefined) throw new Error("the upstream was not called");
  return request;
}

const odd = `{ "seed" : 9223372036854775807,
  "zeta": {"b": 1, "a": [1e400, -0, 1.10, 0.1e-7]}, "__proto__": {"polluted": true},
  "model":"test/cheap",\t"top_k": 40, "constructor": {"prototype": {"x": 1}},
  "tools": [{"type":"function","function":{"name":"f","parameters":{"$ref":"#/$defs/A","$defs":{"A":{"nullable":true}},"__proto__":{}}}}],
  "messages": [{"role":"user","content":"h\\u00e9llo \\ud83d\\ude00","cache_control":{"type":"ephemeral"}, "extra": null}],
  "chat_template_kwargs": {"enable_thinking": false}, "logit_bias": {"50256": -100}, "metadata":{"a":"b"} }`;

test("everything except the model's name is passed on unchanged: order, spaces, int64, __proto__", async () => {
  const { body } = await relay(odd);
  expect(body).toBe(odd.replace('"test/cheap"', '"upstream-cheap"'));
});

test("on a stream only the request for usage is added", async () => {
  const text = odd.replace('"top_k"', '"stream": true, "top_k"');
  const { body } = await relay(text);
  const [, options = ""] = /,?\s*"stream_options":\s*(\{[^}]*\})/.exec(body) ?? [];
  expect(JSON.parse(options)).toEqual({ include_usage: true });
  expect(body.replace(/,?\s*"stream_options":\s*\{[^}]*\}/, "")).toBe(
    text.replace('"test/cheap"', '"upstream-cheap"'),
  );
});

test("the caller's own stream options stay beside ours", async () => {
  const options = '{"continuous_usage_stats":true,"include_usage":false}';
  const text = JSON.stringify(chatBody({ deltas: 1 }, { stream: true }));
  const { body } = await relay(text.replace(/\}$/, `,"stream_options":${options}}`));
  expect(JSON.parse(body).stream_options).toEqual({
    continuous_usage_stats: true,
    include_usage: true,
  });
});

test("if a member is sent twice, the last one counts, here and upstream", async () => {
  const text = JSON.stringify(chatBody({ deltas: 9 }, { max_tokens: 9 }));
  const { body, delivered } = await relay(text.replace(/\}$/, ',"max_tokens":2}'));
  expect(JSON.parse(body).max_tokens).toBe(2);
  expect(body.match(/"max_tokens"/g)).toHaveLength(1);
  expect(delivered.tokens).toBe(2);
});

test("no header of the caller reaches the upstream, especially not the key", async () => {
  const request = await relay(JSON.stringify(chatBody({ deltas: 1 })), {
    "x-stainless-lang": "js",
    "openai-organization": "org-1",
    "http-referer": "https://example.com",
    cookie: "a=b",
    "x-forwarded-for": "1.2.3.4",
    "x-api-key": account.key,
  });
  expect(request.headers.authorization).toBe(`Bearer ${providerKey}`);
  const sent = JSON.stringify(request.rawHeaders);
  for (const trace of [account.key, "stainless", "org-1", "example.com", "a=b", "1.2.3.4"]) {
    expect(sent).not.toContain(trace);
  }
});

test("query parameters that clients add are ignored", async () => {
  const response = await fetch(
    `${server.baseUrl}/chat/completions?api-version=2024-10-21&beta=true`,
    {
      method: "POST",
      headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
      body: JSON.stringify(chatBody({ deltas: 1 })),
    },
  );
  expect(response.status).toBe(200);
});

test("an Accept header has no effect: application/json still gets the requested stream", async () => {
  const response = await postChat(server, account.key, chatBody({ deltas: 1 }, { stream: true }), {
    headers: { accept: "application/json" },
  });
  expect(response.headers.get("content-type")).toStartWith("text/event-stream");
  await response.text();
});
