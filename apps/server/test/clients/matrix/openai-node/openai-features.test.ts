// What OpenAI's SDK offers beyond plain calls, over every dialect: former functions, choices among tools, answers in
// JSON, and helpers that run tools or parse answers. Whatever the upstream's language is, the client sees OpenAI.
import { describe, expect, test } from "bun:test";
import type { Script } from "@turnpike/testing";
import OpenAI from "openai";
import { zodFunction, zodResponseFormat } from "openai/helpers/zod";
import { z } from "zod";
import { scripted, startTestServer, useServer } from "../../../harness/index.ts";
import { dialectCatalog, dialects } from "../../over-dialects.ts";

const { server, account } = await useServer(startTestServer({ catalog: dialectCatalog }));

const client = new OpenAI({ apiKey: account.key, baseURL: server.baseUrl, maxRetries: 0 });
const ask = (script: Script) => [scripted(script)];
const City = z.object({
  name: z.string().min(1).max(100),
  people: z.number().int().min(0),
  motto: z.string().nullable(),
});
const paris = { name: "Paris", people: 2_000_000, motto: null };

describe.each(dialects)("over %s", (dialect) => {
  const model = `over/${dialect}`;
  test("one of some allowed tools", async () => {
    const named = (name: string) => ({ type: "function" as const, function: { name } });
    const completion = await client.chat.completions.create({
      model,
      messages: ask({ toolCalls: [{ name: "b", arguments: "{}" }] }),
      tools: [named("a"), named("b")],
      tool_choice: {
        type: "allowed_tools",
        allowed_tools: { mode: "required", tools: [named("b")] },
      },
    });
    expect(completion.choices[0]?.message.tool_calls).toMatchObject([{ function: { name: "b" } }]);
  });

  test("an object in JSON", async () => {
    const completion = await client.chat.completions.create({
      model,
      messages: ask({ text: JSON.stringify(paris) }),
      response_format: { type: "json_object" },
    });
    expect(JSON.parse(completion.choices[0]?.message.content ?? "")).toEqual(paris);
  });

  test("parse() and stream(): an object of a schema, beside tools", async () => {
    const asked = {
      model,
      messages: ask({ text: JSON.stringify(paris) }),
      response_format: zodResponseFormat(City, "city"),
      tools: [zodFunction({ name: "find", parameters: z.object({ city: z.string().min(1) }) })],
    };
    const parsed = await client.chat.completions.parse(asked);
    expect(parsed.choices[0]?.message.parsed).toEqual(paris);
    const streamed = await client.chat.completions.stream(asked).finalChatCompletion();
    expect(streamed.choices[0]?.message.parsed).toEqual(paris);
    const response = await client.responses.parse({
      model,
      input: ask({ text: JSON.stringify(paris) })[0]?.content ?? "",
      text: { format: { type: "json_object" } },
    });
    expect(JSON.parse(response.output_text)).toEqual(paris);
  });

  test("runTools(): tools are run until there is an answer", async () => {
    server.upstream.script(({ chat }) =>
      chat.toolResult === undefined
        ? { toolCalls: [{ name: "find", arguments: '{"city":"Oslo"}' }] }
        : { text: `Found ${chat.toolResult}` },
    );
    const runner = client.chat.completions.runTools({
      model,
      messages: [{ role: "user", content: "Find Oslo." }],
      tools: [
        zodFunction({
          name: "find",
          parameters: z.object({ city: z.string().min(1) }),
          function: ({ city }) => `${city}, Norway`,
        }),
      ],
    });
    const said = await runner.finalContent();
    server.upstream.script(undefined);
    expect(said).toBe("Found Oslo, Norway");
  });
});

/** OpenAI's own chat completions are relayed. */
describe.each(dialects.filter((dialect) => dialect !== "openai"))(
  "former functions over %s",
  (dialect) => {
    const model = `over/${dialect}`;

    test("functions are called, whole and streamed, and their result is answered", async () => {
      const functions = [{ name: "weather", parameters: { type: "object", properties: {} } }];
      const toolCalls = [{ name: "weather", arguments: '{"city":"Oslo"}' }];
      const messages = ask({ toolCalls });
      const function_call = { name: "weather" };
      const asked = { model, messages, functions, function_call };
      const { choices } = await client.chat.completions.create(asked);
      const message = choices[0]?.message;
      expect(choices[0]?.finish_reason).toBe("function_call");
      expect(message?.function_call).toEqual({ name: "weather", arguments: '{"city":"Oslo"}' });
      expect(message?.tool_calls).toBeUndefined();

      const streamed = { name: "", arguments: "" };
      let finish: string | null | undefined;
      for await (const chunk of await client.chat.completions.create({ ...asked, stream: true })) {
        const call = chunk.choices[0]?.delta.function_call;
        streamed.name += call?.name ?? "";
        streamed.arguments += call?.arguments ?? "";
        finish = chunk.choices[0]?.finish_reason ?? finish;
      }
      expect(streamed).toEqual({ name: "weather", arguments: '{"city":"Oslo"}' });
      expect(finish).toBe("function_call");

      if (message === undefined) throw new Error("no answer");
      const result = { role: "function" as const, name: "weather", content: "clear" };
      const next = await client.chat.completions.create({
        model,
        functions,
        function_call: "auto",
        messages: [...ask({ text: "It is clear." }), message, result],
      });
      expect(next.choices[0]?.message.content).toBe("It is clear.");
    });
  },
);
