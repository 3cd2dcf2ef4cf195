// Claude on Amazon Bedrock: requests signed one by one, answers in AWS event streams, exceptions inside them.
import { describe, expect, test } from "bun:test";
import { encodeModelEvent, type Script } from "@turnpike/testing";
import {
  at,
  chatBody,
  contentOf,
  postChat,
  readEvents,
  readJson,
  scripted,
  scriptText,
} from "../harness/index.ts";
import { awsKey, bedrockApiKey, serveBedrock } from "./serve-bedrock.ts";
import { startCloud } from "./start-cloud.ts";
import { expectWholeBilled, useCloud } from "./use-cloud.ts";

const cloud = startCloud((request, body, forward) => {
  if (body.includes("#damaged")) return damagedStream();
  const refuses = body.includes("#betas") && body.includes("anthropic_beta");
  return refuses ? refusedBeta() : serveBedrock(request, body, forward);
});

function refusedBeta(): Response {
  return Response.json({ message: "invalid beta flag" }, { status: 400 });
}

/** A first event, and one with a flipped bit. */
function damagedStream(): Response {
  const start = { type: "message_start", message: { id: "msg_1", usage: { input_tokens: 9 } } };
  const delta = { type: "text_delta", text: " tok" };
  const text = JSON.stringify({ type: "content_block_delta", index: 0, delta });
  const damaged = encodeModelEvent(text);
  damaged.writeUInt8(damaged.readUInt8(damaged.length - 9) ^ 1, damaged.length - 9);
  const frames = [encodeModelEvent(JSON.stringify(start)), encodeModelEvent(text), damaged];
  return new Response(Buffer.concat(frames), {
    headers: { "content-type": "application/vnd.amazon.eventstream" },
  });
}

const claude = "us.anthropic.claude-sonnet-4-5-20250929-v1:0";
const model = (id: string, provider: string) => `
  - id: bedrock/${id}
    contextTokens: 100000
    maxOutputTokens: 10000
    capabilities: [tools, json_schema, reasoning, vision]
    reasoning: visible
    routes: [{ provider: ${provider}, model: "${claude}" }]
    prices: { input: "0.10", cachedInput: "0.025", cacheWrite: "0.125", output: "0.40" }`;

const key = `accessKeyId: ${awsKey.accessKeyId}, sessionToken: os.environ/AWS_SESSION`;
const { server, account } = await useCloud(
  cloud,
  `
providers:
  - { id: bedrock, baseUrl: "${cloud.url}", region: us-east-1, ${key}, secretAccessKey: os.environ/AWS_SECRET_ACCESS_KEY }
  - { id: bearer, kind: bedrock, baseUrl: "${cloud.url}", region: us-east-1, apiKey: "${bedrockApiKey}" }
  - { id: wrong, kind: bedrock, baseUrl: "${cloud.url}", region: us-east-1, ${key}, secretAccessKey: wrong-secret-0123456789 }
models:${model("signed", "bedrock")}${model("bearer", "bearer")}${model("wrong", "wrong")}
`,
  { AWS_SECRET_ACCESS_KEY: awsKey.secretAccessKey, AWS_SESSION: awsKey.sessionToken },
);

const path = "/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0";
const lastSent = () => cloud.requests.at(-1);
const ask = (name: string, script: Script, fields: object = {}) =>
  postChat(server, account.key, chatBody(script, { model: `bedrock/${name}`, ...fields }));
const streamed = { stream: true, stream_options: { include_usage: true } };

describe.each(["signed", "bearer"])("with a credential that is %s", (name) => {
  test("a whole completion is accepted and billed", async () => {
    const answer = await ask(name, { deltas: 3 });
    await expectWholeBilled(answer);
    expect(lastSent()?.path).toBe(`${path}/invoke`);
    expect(JSON.stringify(lastSent())).not.toContain(account.key);
    expect(JSON.stringify(lastSent())).not.toContain(awsKey.secretAccessKey);
  });

  test("a stream is unwrapped to its end and billed", async () => {
    const stream = await readEvents(await ask(name, { deltas: 4, reasoning: 2 }, streamed));
    expect([contentOf(stream), stream.done]).toEqual([" tok".repeat(4), true]);
    expect(at(stream.events.at(-1), "usage.completion_tokens")).toBe(6);
    expect(lastSent()?.path).toBe(`${path}/invoke-with-response-stream`);
  });
});

test("concurrent calls are each signed separately", async () => {
  const calls = Array.from({ length: 12 }, (_, index) =>
    ask("signed", { deltas: 1 }, { user: `u${index}` }),
  );
  const answers = await Promise.all(calls);
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  await Promise.all(answers.map((answer) => answer.text()));
});

test("a caller of Anthropic's language reaches Claude without translation, its betas in the body", async () => {
  const answer = await fetch(`${server.baseUrl}/messages`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-api-key": account.key,
      "anthropic-beta": "interleaved-thinking-2025-05-14,fast-mode-2026-02-01",
    },
    body: JSON.stringify({
      model: "bedrock/signed",
      max_tokens: 50,
      messages: [scripted({ reasoning: 1, signature: "sig==", deltas: 2 })],
      stream: true,
      top_k: 7,
      anthropic_beta: ["not-allowed-2026-01-01"],
    }),
  });
  const text = await answer.text();
  expect(text).toContain('"signature":"sig=="');
  expect(text).toEndWith('event: message_stop\ndata: {"type":"message_stop"}\n\n');
  expect(JSON.parse(lastSent()?.body ?? "")).toMatchObject({
    top_k: 7,
    anthropic_beta: ["interleaved-thinking-2025-05-14"],
  });
});

test("a model that refuses betas answers without them, charged once", async () => {
  const betas = "context-management-2025-06-27,effort-2025-11-24";
  const send = () =>
    fetch(`${server.baseUrl}/messages`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-api-key": account.key,
        "anthropic-beta": betas,
      },
      body: JSON.stringify({
        model: "bedrock/signed",
        max_tokens: 50,
        messages: [{ role: "user", content: scriptText({ deltas: 1, tag: "#betas" }) }],
      }),
    });
  const before = cloud.requests.length;
  for (let time = 0; time < 2; time += 1) {
    const answer = await send();
    expect(answer.status).toBe(200);
    await answer.text();
  }
  const sent = cloud.requests.slice(before).map(({ body }) => JSON.parse(body).anthropic_beta);
  expect(sent).toEqual([betas.split(","), undefined, undefined]);
});

test.each([
  [429, 429],
  [503, 503],
  [500, 502],
])("its %d is answered with %d", async (theirs, ours) => {
  const answer = await ask("signed", { status: theirs });
  await answer.text();
  expect(answer.status).toBe(ours);
});

test("its refusal of a request reaches the caller with its message", async () => {
  const answer = await ask("signed", { status: 400, error: "messages: odd roles" });
  const { error } = await readJson(answer);
  expect([answer.status, at(error, "message")]).toEqual([400, "messages: odd roles"]);
});

test.each([
  ["an exception", { deltas: 5, errorAfterDeltas: 2 }],
  ["a cut", { deltas: 5, cutAfterDeltas: 2, paceMs: 20 }],
])("%s inside a stream ends it in an error, and never as complete", async (_, script) => {
  const { text, done } = await readEvents(await ask("signed", script, streamed));
  expect(done).toBe(false);
  expect(text).toMatch(/data: \{"error":\{/);
});

test("a damaged frame breaks the stream after what came before it", async () => {
  const body = {
    model: "bedrock/signed",
    messages: [{ role: "user", content: "#damaged" }],
    ...streamed,
  };
  const stream = await readEvents(await postChat(server, account.key, body));
  expect([contentOf(stream), stream.done]).toEqual([" tok", false]);
  expect(stream.text).toContain("damaged");
});

test("a refused signature is a 502 that does not show the key", async () => {
  const answer = await ask("wrong", {});
  const text = await answer.text();
  expect([answer.status, answer.headers.get("x-should-retry")]).toEqual([502, "false"]);
  expect(text).not.toMatch(/AKID|wrong-secret|signature/i);
});
