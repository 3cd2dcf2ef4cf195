// The plain cases for one model of the catalog, requested by chat completions: declared once for our own
// scripted upstream and for independent servers of each format.
import { expect, test } from "bun:test";
import { plainCases } from "@turnpike/testing";
import {
  at,
  contentOf,
  expectFault,
  findSchemaProblems,
  postChat,
  readEvents,
  readJson,
  type TestAccount,
  type TestServer,
} from "../harness/index.ts";

/**
 * `plain/scripted` and `plain/peer`, each at a provider of `kind`: our own scripted upstream and another
 * server. Addresses end in `/v1`; `quirks` are those of both, as the catalog spells them.
 */
export function plainCatalog(
  kind: string,
  scriptedUrl: string,
  peerUrl: string,
  quirks = "{}",
): string {
  const providers = Object.entries({ scripted: scriptedUrl, peer: peerUrl });
  const shared = `kind: ${kind}, apiKey: any, quirks: ${quirks}`;
  return `
providers:
${providers.map(([id, url]) => `  - { id: ${id}, ${shared}, baseUrl: "${url}" }`).join("\n")}
models:
${providers
  .map(
    ([id]) => `
  - id: plain/${id}
    contextTokens: 10000
    maxOutputTokens: 1000
    capabilities: [tools]
    routes: [{ provider: ${id}, model: upstream }]
    prices: { input: "1", output: "2" }`,
  )
  .join("")}
`;
}

const tools = [{ type: "function", function: { name: "get_weather" } }];

/** Declares the tests; call it inside a `describe`. */
export function testPlainCases(server: TestServer, account: TestAccount, model: string): void {
  const ask = ({ message }: { message: string }, fields = {}) =>
    postChat(server, account.key, {
      model,
      messages: [{ role: "user", content: message }],
      tools,
      ...fields,
    });

  test("a whole text", async () => {
    const body = await readJson(await ask(plainCases.text));
    expect(findSchemaProblems("CreateChatCompletionResponse", body)).toEqual([]);
    expect(at(body, "choices.0.message.content")).toBe(plainCases.text.script.text);
    expect(at(body, "choices.0.finish_reason")).toBe("stop");
    expect(Number(at(body, "usage.cost"))).toBeGreaterThan(0);
  });

  test("a streamed text", async () => {
    const fields = { stream: true, stream_options: { include_usage: true } };
    const read = await readEvents(await ask(plainCases.text, fields));
    for (const event of read.events) {
      expect(findSchemaProblems("CreateChatCompletionStreamResponse", event)).toEqual([]);
    }
    expect(contentOf(read)).toBe(plainCases.text.script.text);
    expect(read.done).toBe(true);
    expect(Number(at(read.events.at(-1), "usage.cost"))).toBeGreaterThan(0);
  });

  test("a tool call, whole and streamed", async () => {
    const [expected] = plainCases.tool.script.toolCalls;
    const body = await readJson(await ask(plainCases.tool));
    expect(at(body, "choices.0.finish_reason")).toBe("tool_calls");
    expect(at(body, "choices.0.message.tool_calls.0.function")).toEqual(expected);
    const { events, done } = await readEvents(await ask(plainCases.tool, { stream: true }));
    const fragments = events.map(
      (event) => at(event, "choices.0.delta.tool_calls.0.function.arguments") ?? "",
    );
    expect(fragments.join("")).toBe(expected.arguments);
    expect(done).toBe(true);
  });

  test("a busy upstream, whole and streamed", async () => {
    for (const stream of [false, true]) {
      const fault = { status: 429, type: "requests", code: "rate_limit_exceeded" };
      await expectFault(await ask(plainCases.busy, { stream }), fault);
    }
  });
}
