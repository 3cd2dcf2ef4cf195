// Stop sequences that a provider does not take end its answer here: nothing behind one is shown, whole or streamed,
// and the call costs what the provider reports.
import { expect, test } from "bun:test";
import {
  answerWith,
  at,
  contentOf,
  type JsonObject,
  parseEvents,
  readJson,
  startTestServer,
  testModels,
  useServer,
} from "../harness/index.ts";
import { parseNamedEvents } from "../responses/post-responses.ts";

const { server, account } = await useServer(startTestServer());

const post = (path: string, body: JsonObject) =>
  fetch(`${server.baseUrl}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${account.key}` },
    body: JSON.stringify(body),
  });

const messages = [{ role: "user", content: "hello" }];
const script = { text: "one two END three four" };
const sent = () => JSON.stringify(server.upstream.requests.at(-1)?.parsed);

test("a provider without stop sequences: OpenAI's responses", async () => {
  const body = { model: "sandbox/responses", messages, stop: ["END"] };
  answerWith(server, script, script);
  const whole = await readJson(await post("/chat/completions", body));
  expect(at(whole, "choices.0")).toMatchObject({
    message: { content: "one two " },
    finish_reason: "stop",
  });
  expect(sent()).not.toContain("END");
  const asked = { ...body, stream: true, stream_options: { include_usage: true } };
  const read = parseEvents(await (await post("/chat/completions", asked)).text());
  expect(contentOf(read)).toBe("one two ");
  // All that the provider wrote is paid for.
  expect(at(read.events.at(-1), "usage.completion_tokens")).toBe(
    Number(at(whole, "usage.completion_tokens")),
  );
  expect(Number(at(whole, "usage.completion_tokens"))).toBeGreaterThan(3);
});

test("whitespace at Claude, which requires more", async () => {
  const body = { model: testModels.anthropic, messages, stop: ["\n\n", "FIN"], max_tokens: 50 };
  answerWith(server, { text: "one two\n\nthree" });
  const whole = await readJson(await post("/chat/completions", body));
  expect(at(whole, "choices.0.message.content")).toBe("one two");
  expect(sent()).toContain('"stop_sequences":["FIN"]');
});

test("more than a provider takes, named as Anthropic names it", async () => {
  const stop_sequences = ["a1", "a2", "a3", "a4", "a5", "END"];
  for (const [model, first] of [
    ["sandbox/gemini", '"stopSequences":["a1","a2","a3","a4","a5"]'],
    [testModels.cheap, '"stop":["a1","a2","a3","a4"]'],
  ] as const) {
    const body = { model, messages, max_tokens: 50, stop_sequences };
    answerWith(server, script, script);
    const whole = await readJson(await post("/messages", body));
    expect(whole).toMatchObject({ stop_reason: "stop_sequence", stop_sequence: "END" });
    expect(at(whole, "content.0.text")).toBe("one two ");
    expect(sent()).toContain(first);
    const events = parseNamedEvents(
      await (await post("/messages", { ...body, stream: true })).text(),
    );
    const text = events.map((event) => at(event, "delta.text") ?? "").join("");
    expect(text).toBe("one two ");
    expect(events.find(({ type }) => type === "message_delta")).toMatchObject({
      delta: { stop_reason: "stop_sequence", stop_sequence: "END" },
    });
  }
});
