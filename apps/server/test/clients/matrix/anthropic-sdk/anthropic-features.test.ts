// What Anthropic's SDK offers beyond plain calls, over every dialect: helpers that run tools and parse answers, and
// results of tools that are more than text. Whatever the upstream's language is, the client sees Anthropic.
import { describe, expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import { zodOutputFormat } from "@anthropic-ai/sdk/helpers/zod";
import { z } from "zod";
import { at, catchError, scripted, startTestServer, useServer } from "../../../harness/index.ts";
import { dialectCatalog, dialects } from "../../over-dialects.ts";

const { server, account } = await useServer(startTestServer({ catalog: dialectCatalog }));

const client = new Anthropic({ apiKey: account.key, baseURL: server.url, maxRetries: 0 });
const City = z.object({ name: z.string().min(1), motto: z.string().optional() });
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const find = betaZodTool({
  name: "find",
  description: "Finds a city.",
  inputSchema: z.object({ city: z.string() }),
  run: ({ city }) => [
    { type: "text", text: `${city}, Norway` },
    { type: "image", source: { type: "base64", media_type: "image/png", data: pixel } },
  ],
});

describe.each(dialects)("over %s", (dialect) => {
  const model = `over/${dialect}`;
  const asked = { model, max_tokens: 500 };
  const ask = (text: string) => {
    const { content } = scripted({ text });
    return [{ role: "user" as const, content }];
  };

  test("toolRunner(): tools are run until there is an answer, whole and streamed", async () => {
    server.upstream.script(({ parsed }) =>
      JSON.stringify(parsed).includes("Oslo, Norway")
        ? { text: "Found it." }
        : { toolCalls: [{ name: "find", arguments: '{"city":"Oslo"}' }] },
    );
    const question = [{ role: "user" as const, content: "Find Oslo." }];
    const params = { ...asked, messages: question, tools: [find] };
    const last = await client.beta.messages.toolRunner(params).runUntilDone();
    expect(last.content).toMatchObject([{ type: "text", text: "Found it." }]);
    let streamed = "";
    for await (const turn of client.beta.messages.toolRunner({ ...params, stream: true })) {
      turn.on("text", (text) => {
        streamed += text;
      });
      await turn.finalMessage();
    }
    expect(streamed).toBe("Found it.");
    server.upstream.script(undefined);
    const sent = JSON.stringify(server.upstream.requests.at(-1)?.parsed);
    expect(sent).toContain("Oslo, Norway");
    expect(sent).toContain(pixel);
    expect(sent).not.toContain("thread");
  });

  test("parse() and stream(): an object of a schema", async () => {
    const output_config = { format: zodOutputFormat(City) };
    const params = { ...asked, output_config, messages: ask('{"name":"Oslo"}') };
    expect((await client.messages.parse(params)).parsed_output).toEqual({ name: "Oslo" });
    const stream = client.messages.stream(params);
    expect((await stream.finalMessage()).parsed_output).toEqual({ name: "Oslo" });
    expect(await stream.finalText()).toBe('{"name":"Oslo"}');
  });

  test("a thread is refused as one that cannot be kept", async () => {
    const thread = client.beta.messages.thread(asked);
    const refusal = await catchError(thread.send(ask("Hello")));
    expect(refusal).toBeInstanceOf(Anthropic.BadRequestError);
    expect(at(refusal, "error.error.details")).toEqual({
      error_code: "thread_unsupported_request",
    });
    expect(String(refusal)).toContain("thread");
  });
});
