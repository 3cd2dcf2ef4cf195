// The plain cases behind Anthropic's API, with our own scripted upstream and with an independent server of
// its format: translated for callers of chat completions, and byte for byte for Anthropic's own SDK.
import { afterAll, describe, expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import { answerPlainCase, plainCases, startMockPeer } from "@turnpike/testing";
import { at, catchError, countCalls, startTestServer, useServer } from "../harness/index.ts";
import { plainCatalog, testPlainCases } from "./test-plain-cases.ts";

const peer = await startMockPeer();
const { server, account } = await useServer(
  startTestServer({
    catalog: (baseUrl) => plainCatalog("anthropic", baseUrl, peer.baseUrl),
  }),
);
server.upstream.script(answerPlainCase);
const client = new Anthropic({ apiKey: account.key, baseURL: server.url, maxRetries: 0 });
afterAll(() => peer.close());

describe.each(["plain/scripted", "plain/peer"])("%s", (model) => {
  describe("for a caller of chat completions", () => {
    testPlainCases(server, account, model);
  });

  describe("for Anthropic's SDK", () => {
    const ask = ({ message }: { message: string }) => ({
      model,
      max_tokens: 100,
      messages: [{ role: "user" as const, content: message }],
      tools: [{ name: "get_weather", input_schema: { type: "object" as const } }],
    });

    test("a text and a tool call, whole and streamed, each charged once", async () => {
      const [call] = plainCases.tool.script.toolCalls;
      const expected = [
        { type: "text", text: plainCases.text.script.text },
        { type: "tool_use", name: call.name, input: JSON.parse(call.arguments) },
      ] as const;
      for (const [index, plain] of [plainCases.text, plainCases.tool].entries()) {
        const messages: Anthropic.Message[] = [];
        const { charges } = await countCalls(server, account, async () => {
          messages.push(await client.messages.create(ask(plain)));
          messages.push(await client.messages.stream(ask(plain)).finalMessage());
        });
        for (const { content, stop_reason, usage } of messages) {
          expect(content).toMatchObject([expected[index] ?? {}]);
          expect(stop_reason).toBe(index === 0 ? "end_turn" : "tool_use");
          expect(usage.output_tokens).toBeGreaterThan(0);
        }
        expect(charges).toHaveLength(2);
      }
    });

    test("a busy upstream is the SDK's RateLimitError, whole and streamed, and free", async () => {
      const { charges } = await countCalls(server, account, async () => {
        const whole = await catchError(client.messages.create(ask(plainCases.busy)));
        const streamed = await catchError(
          client.messages.stream(ask(plainCases.busy)).finalMessage(),
        );
        for (const error of [whole, streamed]) {
          expect(error).toBeInstanceOf(Anthropic.RateLimitError);
          expect(at(error, "type")).toBe("rate_limit_error");
        }
      });
      expect(charges).toEqual([]);
    });
  });
});
