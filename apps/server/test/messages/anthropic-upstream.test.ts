// A provider with Anthropic's API, for callers of /v1/messages: byte for byte, charged once, each
// kind of token at its own price.
import { describe, expect, test } from "bun:test";
import {
  asObject,
  at,
  expectFault,
  postChat,
  readLastCharge,
  scriptText,
  startTestServer,
  testModels,
  usdNumber,
  useServer,
} from "../harness/index.ts";

const { server, account } = await useServer(startTestServer());

const model = testModels.anthropic;

async function postMessages(body: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${server.url}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": account.key, ...headers },
    body,
  });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

const ask = (script: object, fields: object = {}) =>
  postMessages(
    JSON.stringify({
      model,
      max_tokens: 50,
      messages: [{ role: "user", content: scriptText(script) }],
      ...fields,
    }),
  );

const lastCharge = () => readLastCharge(server, account);

describe("a caller of the same language", () => {
  test("the request is forwarded byte for byte, except the model", async () => {
    const text = JSON.stringify(scriptText({ deltas: 1 }));
    const raw = `{ "model":"${model}","max_tokens":  50, "messages":[{"role":"user","content":[{"type":"text","text":${text},"cache_control":{"type":"ephemeral"},"odd":1.0}]}],"brand_new":{"big":12345678901234567890} }`;
    const { status } = await postMessages(raw, {
      "anthropic-version": "2026-10-21",
      "anthropic-beta": "interleaved-thinking-2025-05-14,fast-mode-2026-02-01",
    });
    expect(status).toBe(200);
    const sent = server.upstream.requests.at(-1);
    expect(sent?.path).toBe("/v1/messages");
    expect(sent?.body).toBe(raw.replace(model, "upstream-anthropic"));
    expect(sent?.headers).toMatchObject({
      "anthropic-version": "2026-10-21",
      "anthropic-beta": "interleaved-thinking-2025-05-14",
    });
    expect(JSON.stringify(sent?.headers)).not.toContain(account.key);
  });

  test("the upstream's events are relayed byte for byte, except id, model and usage", async () => {
    const script = { reasoning: 1, signature: "sig==", redacted: "xx", deltas: 2, padBytes: 3 };
    const { text } = await ask(script, { stream: true });
    const frames = text.split("\n\n").filter((frame) => frame !== "");
    const events = frames.map((frame) => {
      const [, name, json] = /^event: (\S+)\ndata: (.*)$/.exec(frame) ?? [];
      const event = asObject(JSON.parse(json ?? ""));
      expect(event.type).toBe(name);
      return event;
    });
    expect(events.map(({ type }) => type)).toEqual([
      "message_start",
      "content_block_start",
      "content_block_delta",
      "content_block_delta",
      "content_block_stop",
      "content_block_start",
      "content_block_stop",
      "content_block_start",
      "content_block_delta",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    expect(events[0]).toMatchObject({ padding: "xxx", message: { model, stop_reason: null } });
    expect(at(events[0], "message.id")).toMatch(/^msg_[0-9a-f]{32}$/);
    expect(text).toContain('"signature":"sig=="');
    expect(text).toContain('{"type":"redacted_thinking","data":"xx"}');
    const last = events.at(-2);
    expect(last).toMatchObject({ padding: "xxx", usage: { service_tier: "standard" } });
    expect(at(last, "usage.cost")).toBe(usdNumber(await lastCharge()));
  });

  test("cached and cache-written tokens are billed once, each at its own price", async () => {
    for (const stream of [false, true]) {
      const script = { deltas: 2, cachedTokens: 4, cacheWriteTokens: 3 };
      const { text } = await ask(script, { stream, cache_control: { type: "ephemeral" } });
      const json = stream ? (/data: (\{"type":"message_delta".*\})/.exec(text)?.[1] ?? "") : text;
      const usage = asObject(asObject(JSON.parse(json)).usage);
      expect(usage).toMatchObject({
        cache_read_input_tokens: 4,
        cache_creation_input_tokens: 3,
        output_tokens: 2,
      });
      const input = BigInt(Number(usage.input_tokens));
      expect(await lastCharge()).toBe(input * 100n + 4n * 25n + 3n * 125n + 2n * 400n);
    }
  });

  test("one-hour cache writes are billed and shown at their own price", async () => {
    const cache_control = { type: "ephemeral", ttl: "1h" };
    const system = [{ type: "text", text: "Be brief.", cache_control }];
    const script = { deltas: 2, cacheWriteTokens: 5, cacheWrite1hTokens: 3 };
    const { status, text, headers } = await ask(script, { system });
    expect(status).toBe(200);
    const usage = asObject(asObject(JSON.parse(text)).usage);
    expect(usage.cache_creation).toEqual({
      ephemeral_5m_input_tokens: 2,
      ephemeral_1h_input_tokens: 3,
    });
    const charged = BigInt(Number(usage.input_tokens)) * 100n + 2n * 125n + 3n * 200n + 2n * 400n;
    expect(await lastCharge()).toBe(charged);
    const [row] = await server.owner.sql<{ tokens: number }[]>`
      select cache_write_1h_tokens as tokens from requests where account_id = ${account.id}
      order by id desc limit 1`;
    expect([row?.tokens, headers.get("x-generation-id")?.slice(0, 4)]).toEqual([3, "gen-"]);
  });

  test.each<[string, object, bigint]>([
    ["nothing", {}, 100n],
    ["something for minutes", { cache_control: { type: "ephemeral" } }, 125n],
  ])(
    "if a request marks %s, no more expensive write is billed, whatever is reported",
    async (_, marks, rate) => {
      const script = { deltas: 1, cacheWriteTokens: 5, cacheWrite1hTokens: 3 };
      const { text } = await ask(script, marks);
      const input = BigInt(Number(asObject(asObject(JSON.parse(text)).usage).input_tokens));
      expect(await lastCharge()).toBe(input * 100n + 5n * rate + 400n);
    },
  );

  test("one-hour caching is dropped with its mark for a provider of another language", async () => {
    const cache_control = { type: "ephemeral", ttl: "1h" };
    const system = [{ type: "text", text: "Be brief.", cache_control }];
    const { status } = await ask({ deltas: 1 }, { system, model: testModels.cheap });
    expect(status).toBe(200);
    expect(server.upstream.requests.at(-1)?.body).not.toContain("cache_control");
  });

  test("one-hour caching is refused by field name if the mark would reach a provider that does not count it", async () => {
    const cache_control = { type: "ephemeral", ttl: "1h" };
    const content = [{ type: "text", text: "hi", cache_control }];
    const messages = [{ role: "user", content }];
    const refused = await postChat(server, account.key, { model: testModels.cheap, messages });
    await expectFault(refused, {
      status: 400,
      code: "unsupported_parameter",
      param: "messages[0].content[0].cache_control.ttl",
    });
  });

  test("the stop sequence that ended the answer is passed on", async () => {
    const { text } = await ask({ deltas: 1, stopSequence: "END" }, { stop_sequences: ["END"] });
    expect(JSON.parse(text)).toMatchObject({ stop_reason: "stop_sequence", stop_sequence: "END" });
  });

  test("a stream without usage is billed by what was delivered", async () => {
    await ask({ deltas: 8, usage: "missing" }, { stream: true });
    expect(await lastCharge()).toBeGreaterThan(0n);
  });

  test.each([[{ cutAfterDeltas: 2, paceMs: 20 }], [{ errorAfterDeltas: 2 }], [{ noDone: true }]])(
    "a stream that breaks (%j) ends in an error and is never complete",
    async (broken) => {
      const { text } = await ask({ deltas: 5, ...broken }, { stream: true });
      // Cut before its first token was read, it is refused with a status instead.
      expect(text).toMatch(/(?:^|data: )\{"type":"error","error":\{"type":"api_error"/m);
      expect(text).not.toContain("message_stop");
    },
  );

  test.each([
    [529, 529, "overloaded_error"],
    [503, 529, "overloaded_error"],
    [429, 429, "rate_limit_error"],
    [401, 502, "api_error"],
    [500, 502, "api_error"],
  ])(
    "an upstream's %d becomes %d %s, with the upstream's retry-after",
    async (theirs, ours, type) => {
      const { status, text, headers } = await ask({
        status: theirs,
        headers: { "retry-after": "7" },
      });
      expect([status, at(JSON.parse(text), "error.type")]).toEqual([ours, type]);
      expect(headers.get("retry-after")).toBe(ours === 502 ? null : "7");
    },
  );
});

describe("instructions in the middle of a conversation", () => {
  const messages = [
    { role: "user", content: "Hi" },
    { role: "system", content: [], output_config: { effort: "low" } },
  ];
  const beta = "per-turn-control-2026-07-01";

  test("that configure an answer reach Anthropic with the beta they need", async () => {
    const asked: unknown[] = [];
    server.upstream.script(({ parsed, headers }) => {
      asked.push(at(parsed, "messages.1.output_config"));
      const isAllowed = String(headers["anthropic-beta"]).split(",").includes(beta);
      const message = "messages.1.output_config: Extra inputs are not permitted";
      const error = { type: "invalid_request_error", message };
      return isAllowed ? { deltas: 1 } : { status: 400, error };
    });
    try {
      const body = JSON.stringify({ model, max_tokens: 50, messages });
      expect((await postMessages(body, { "anthropic-beta": `made-up,${beta}` })).status).toBe(200);
      expect((await postMessages(body, {})).status).toBe(400);
      expect(asked).toEqual([{ effort: "low" }, { effort: "low" }]);
    } finally {
      server.upstream.script(undefined);
    }
  });
});
