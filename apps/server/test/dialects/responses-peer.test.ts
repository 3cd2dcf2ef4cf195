// The plain cases behind OpenAI's responses, with our own scripted upstream and with an independent server of
// their format: translated for callers of chat completions, and byte for byte for OpenAI's own SDK.
import { afterAll, describe, expect, test } from "bun:test";
import { answerPlainCase, plainCases, startMockPeer } from "@turnpike/testing";
import OpenAI from "openai";
import { catchError, countCalls, startTestServer, useServer } from "../harness/index.ts";
import { plainCatalog, testPlainCases } from "./test-plain-cases.ts";

const peer = await startMockPeer();
const { server, account } = await useServer(
  startTestServer({
    catalog: (baseUrl) =>
      plainCatalog("openai-compatible", baseUrl, peer.baseUrl, "{ responses: only }"),
  }),
);
server.upstream.script(answerPlainCase);
const client = new OpenAI({ apiKey: account.key, baseURL: server.baseUrl, maxRetries: 0 });
afterAll(() => peer.close());

describe.each(["plain/scripted", "plain/peer"])("%s", (model) => {
  describe("for a caller of chat completions", () => {
    testPlainCases(server, account, model);
  });

  describe("for OpenAI's SDK", () => {
    const parameters = { type: "object", properties: { city: { type: "string" } } };
    const ask = ({ message }: { message: string }) => ({
      model,
      input: message,
      tools: [{ type: "function" as const, name: "get_weather", parameters, strict: false }],
    });

    test("a text and a tool call, whole and streamed, each charged once", async () => {
      const { text, tool } = plainCases;
      const [call] = tool.script.toolCalls;
      const answers: OpenAI.Responses.Response[] = [];
      const { charges } = await countCalls(server, account, async () => {
        for (const plain of [text, tool]) {
          answers.push(await client.responses.create(ask(plain)));
          answers.push(await client.responses.stream(ask(plain)).finalResponse());
        }
      });
      expect(answers.map(({ status }) => status)).toEqual(Array(4).fill("completed"));
      for (const { output_text } of answers.slice(0, 2)) expect(output_text).toBe(text.script.text);
      for (const { output } of answers.slice(2)) {
        expect(output).toMatchObject([{ type: "function_call", ...call }]);
      }
      for (const { usage } of answers) expect(usage?.output_tokens).toBeGreaterThan(0);
      expect(charges).toHaveLength(4);
    });

    test("a busy upstream is the SDK's RateLimitError, whole and streamed, and free", async () => {
      const { charges } = await countCalls(server, account, async () => {
        const busy = ask(plainCases.busy);
        const whole = await catchError(client.responses.create(busy));
        const streamed = await catchError(client.responses.stream(busy).finalResponse());
        for (const error of [whole, streamed]) expect(error).toBeInstanceOf(OpenAI.RateLimitError);
      });
      expect(charges).toEqual([]);
    });
  });
});
