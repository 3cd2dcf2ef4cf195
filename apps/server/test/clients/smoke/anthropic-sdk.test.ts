// The official `@anthropic-ai/sdk` over upstreams of either language: a whole message and a stream, each paid once.
import { describe, expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import {
  asObject,
  at,
  countCalls,
  scripted,
  startTestServer,
  testModels,
  usdNumber,
  useServer,
} from "../../harness/index.ts";

const { server, account } = await useServer(startTestServer());

const client = new Anthropic({ apiKey: account.key, baseURL: server.url });

/** 100 nano-dollars per prompt token, 25 cached, 400 per completion token. */
function billOf(usage: unknown): bigint {
  const {
    input_tokens: input,
    cache_read_input_tokens: cached,
    output_tokens: output,
  } = asObject(usage);
  return (
    BigInt(Number(input)) * 100n + BigInt(Number(cached)) * 25n + BigInt(Number(output)) * 400n
  );
}

describe.each([
  ["openai-compatible", testModels.cheap],
  ["anthropic", testModels.anthropic],
])("over an upstream of kind %s", (_, model) => {
  test("a whole message, with its cost and its request id, charged once", async () => {
    let message: Anthropic.Message | undefined;
    const messages = [scripted({ deltas: 3, cachedTokens: 2 })];
    const { calls, charges } = await countCalls(server, account, async () => {
      message = await client.messages.create({ model, max_tokens: 100, messages });
      expect(Reflect.get(message, "_request_id")).toMatch(/^req_[0-9a-f]{32}$/);
    });
    expect(message?.content).toMatchObject([{ type: "text", text: " tok tok tok" }]);
    expect(message).toMatchObject({ type: "message", role: "assistant", model });
    expect([message?.stop_reason, message?.stop_sequence]).toEqual(["end_turn", null]);
    expect(message?.usage).toMatchObject({ cache_read_input_tokens: 2, output_tokens: 3 });
    expect([calls, charges]).toEqual([1, [billOf(message?.usage)]]);
    expect(at(message, "usage.cost")).toBe(usdNumber(charges[0] ?? 0n));
  });

  test("a complete stream, charged once", async () => {
    const types: string[] = [];
    let message: Anthropic.Message | undefined;
    const messages = [scripted({ deltas: 4 })];
    const { calls, charges } = await countCalls(server, account, async () => {
      const stream = client.messages.stream({ model, max_tokens: 100, messages });
      stream.on("streamEvent", ({ type }) => types.push(type));
      message = await stream.finalMessage();
    });
    expect(message?.content).toMatchObject([{ type: "text", text: " tok".repeat(4) }]);
    expect(types[0]).toBe("message_start");
    expect(types.slice(-3)).toEqual(["content_block_stop", "message_delta", "message_stop"]);
    expect(message?.usage.output_tokens).toBe(4);
    expect([calls, charges]).toEqual([1, [billOf(message?.usage)]]);
  });
});
