// The plain cases behind Gemini's API, from our own scripted upstream and from an independent server of its
// format: what works only with our own does not implement the format.
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { answerPlainCase, plainCases, startMockPeer } from "@turnpike/testing";
import {
  at,
  contentOf,
  expectCleanBooks,
  expectFault,
  openAccount,
  postChat,
  readEvents,
  readJson,
  startTestServer,
} from "../harness/index.ts";
import { geminiCatalog } from "./gemini-catalog.ts";

const peer = await startMockPeer();
const server = await startTestServer({ catalog: (baseUrl) => geminiCatalog(baseUrl, peer.url) });
server.upstream.script(answerPlainCase);
const account = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(async () => {
  await server.close();
  await peer.close();
});

const tools = [{ type: "function", function: { name: "get_weather" } }];

describe.each(["google/scripted", "google/peer"])("%s", (plain) => {
  const askPlain = ({ message }: { message: string }, fields = {}) =>
    postChat(server, account.key, {
      model: plain,
      messages: [{ role: "user", content: message }],
      tools,
      ...fields,
    });

  test("a text, whole and streamed", async () => {
    const body = await readJson(await askPlain(plainCases.text));
    expect(at(body, "choices.0.message.content")).toBe(plainCases.text.script.text);
    expect(at(body, "choices.0.finish_reason")).toBe("stop");
    const read = await readEvents(await askPlain(plainCases.text, { stream: true }));
    expect(contentOf(read)).toBe(plainCases.text.script.text);
    expect(read.done).toBe(true);
  });

  test("a tool call, whole and streamed", async () => {
    const [expected] = plainCases.tool.script.toolCalls;
    const body = await readJson(await askPlain(plainCases.tool));
    expect(at(body, "choices.0.finish_reason")).toBe("tool_calls");
    expect(at(body, "choices.0.message.tool_calls.0.function")).toEqual(expected);
    const { events, done } = await readEvents(await askPlain(plainCases.tool, { stream: true }));
    const fragments = events.map(
      (event) => at(event, "choices.0.delta.tool_calls.0.function.arguments") ?? "",
    );
    expect(fragments.join("")).toBe(expected.arguments);
    expect(done).toBe(true);
  });

  test("a busy upstream, whole and streamed", async () => {
    for (const stream of [false, true]) {
      const fault = { status: 429, type: "requests", code: "rate_limit_exceeded" };
      await expectFault(await askPlain(plainCases.busy, { stream }), fault);
    }
  });
});
