// The Interactions API of the official `@google/genai` over providers of every language: whole answers and streams, steps that
// are sent back, functions, schemas, images, interactions that are stored, and errors of its own class.
import { describe, expect, test } from "bun:test";
import { GoogleGenAI } from "@google/genai";
import {
  asObject,
  at,
  catchError,
  countCalls,
  openAccount,
  scriptText,
  startTestServer,
  testModels,
  useServer,
} from "../../../harness/index.ts";
import { storedEnvironment } from "../../../stored/use-stored.fixture.ts";
import { dialectCatalog, dialects } from "../../over-dialects.ts";

const { server, account } = await useServer(
  startTestServer({ environment: storedEnvironment, catalog: dialectCatalog }),
);
const connect = (apiKey: string) =>
  new GoogleGenAI({ apiKey, httpOptions: { baseUrl: server.url } }).interactions;
const client = connect(account.key);

const sent = () => JSON.stringify(asObject(server.upstream.requests.at(-1)?.parsed));

const tools = [
  {
    type: "function" as const,
    name: "find",
    description: "Finds a city.",
    parameters: { type: "object", properties: { city: { type: "string" } } },
  },
];

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe.each(dialects)("over %s", (dialect) => {
  const model = `over/${dialect}`;

  test("a whole answer and a stream have the same text and are paid once", async () => {
    const { calls, charges } = await countCalls(server, account, async () => {
      const asked = { model, input: scriptText({ deltas: 3 }) };
      const whole = await client.create(asked);
      expect([whole.output_text, whole.status]).toEqual([" tok tok tok", "completed"]);
      expect(whole.usage?.total_output_tokens).toBe(3);
      let streamed = "";
      const types: string[] = [];
      for await (const event of await client.create({ ...asked, stream: true })) {
        types.push(event.event_type);
        if (event.event_type === "step.delta" && event.delta.type === "text") {
          streamed += event.delta.text;
        }
      }
      expect(streamed).toBe(" tok tok tok");
      expect([types[0], types.at(-1)]).toEqual(["interaction.created", "interaction.completed"]);
    });
    expect([calls, charges.length]).toEqual([2, 2]);
  });

  test("steps of an answer go back with the next turn, with results and what was thought", async () => {
    server.upstream.script(({ parsed }) =>
      JSON.stringify(parsed).includes("Oslo, Norway")
        ? { text: "Found it." }
        : {
            reasoning: 1,
            signature: "c2lnbmF0dXJl",
            toolCalls: [{ name: "find", arguments: '{"city":"Oslo"}' }],
          },
    );
    const question = {
      type: "user_input" as const,
      content: [{ type: "text" as const, text: "Find Oslo." }],
    };
    const generation_config = { thinking_level: "low", thinking_summaries: "auto" };
    const first = await client.create({ model, tools, generation_config, input: [question] });
    expect(first.status).toBe("requires_action");
    const steps = first.steps ?? [];
    const call = steps.find((step) => step.type === "function_call");
    expect(call).toMatchObject({ name: "find", arguments: { city: "Oslo" } });
    const result = {
      type: "function_result" as const,
      call_id: call?.type === "function_call" ? call.id : "",
      name: "find",
      result: [{ type: "text" as const, text: "Oslo, Norway" }],
    };
    const input = [question, ...steps, result];
    const second = await client.create({ model, tools, generation_config, input });
    server.upstream.script(undefined);
    expect([second.output_text, second.status]).toEqual(["Found it.", "completed"]);
    expect(sent()).toContain("Oslo, Norway");
    if (dialect === "anthropic" || dialect === "gemini") expect(sent()).toContain("c2lnbmF0dXJl");
  });

  test("an object of a schema, and a question with an image", async () => {
    const schema = { type: "object", properties: { name: { type: "string" } } };
    const { output_text: text = "" } = await client.create({
      model,
      input: [
        { type: "text", text: scriptText({ text: '{"name":"Oslo"}' }) },
        { type: "image", mime_type: "image/png", data: pixel },
      ],
      response_format: { type: "text", mime_type: "application/json", schema },
    });
    expect(JSON.parse(text)).toEqual({ name: "Oslo" });
    expect(sent()).toContain(pixel);
  });

  test("an interaction is stored, continued, streamed, retrieved with its input, and deleted", async () => {
    const say = (text: string) => scriptText({ text });
    const first = await client.create({ model, input: say("Hello Ada."), store: true });
    const events = await client.create({
      model,
      input: say("Ada."),
      store: true,
      stream: true,
      previous_interaction_id: first.id,
    });
    let id = "";
    for await (const event of events) {
      if (event.event_type === "interaction.completed") id = event.interaction.id ?? "";
    }
    expect(sent()).toContain("Hello Ada.");
    const read = await client.get(id, { include_input: true });
    expect([read.output_text, read.previous_interaction_id]).toEqual(["Ada.", first.id]);
    const asked: unknown = read.input;
    const content = [{ type: "text", text: say("Ada.") }];
    expect(asked).toEqual([{ type: "user_input", content }]);
    expect(String(await catchError(client.cancel(id)))).toContain("in the background");
    await client.delete(first.id);
    expect(String(await catchError(client.get(first.id)))).toContain("No stored interaction");
    const next = client.create({ model, input: say("?"), previous_interaction_id: id });
    expect(String(await catchError(next))).toContain("was deleted");
  });

  test("a stream that breaks off delivers its error and throws, after one call", async () => {
    const { calls } = await countCalls(server, account, async () => {
      const input = scriptText({ deltas: 5, errorAfterDeltas: 2 });
      const seen: unknown[] = [];
      const read = async () => {
        for await (const event of await client.create({ model, input, stream: true })) {
          seen.push(event.event_type);
        }
      };
      expect(await catchError(read())).toBeInstanceOf(Error);
      expect(seen.at(-1)).toBe("error");
    });
    expect(calls).toBe(1);
  });
});

test("refusals are errors of its own, with their status, and money is asked for once", async () => {
  const poor = await openAccount(server, { usd: "0" });
  const model = `over/${dialects[0]}`;
  const refusal = async (apiKey: string, named: string) => {
    const error = await catchError(connect(apiKey).create({ model: named, input: "Hello" }));
    return at(asObject(error), "status") ?? at(asObject(error), "statusCode");
  };
  expect(await refusal("sk-wrong", model)).toBe(401);
  expect(await refusal(account.key, testModels.hidden)).toBe(404);
  const { calls } = await countCalls(server, poor, async () => {
    expect(await refusal(poor.key, model)).toBe(402);
  });
  expect(calls).toBe(0);
});

test("ids that are not known are errors of its own, and nothing is called", async () => {
  const model = `over/${dialects[0]}`;
  const { calls } = await countCalls(server, account, async () => {
    const chained = client.create({ model, input: "Hello", previous_interaction_id: "v1_abc" });
    expect(String(await catchError(chained))).toContain("previous_interaction_id");
    for (const asking of [client.get("gen-1"), client.cancel("gen-1"), client.delete("gen-1")]) {
      expect(String(await catchError(asking))).toContain("No stored interaction");
    }
  });
  expect(calls).toBe(0);
});
