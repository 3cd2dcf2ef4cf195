// The official `openai` package in three major versions: whole answers and streams of both of its APIs, each paid once.
import { describe, expect, test } from "bun:test";
import {
  at,
  billCheap,
  countCalls,
  scripted,
  scriptText,
  startTestServer,
  testModels,
  usdNumber,
  useServer,
} from "../../harness/index.ts";
import { majors } from "../openai-majors.ts";

const { server, account } = await useServer(startTestServer());

const model = testModels.cheap;

describe.each(majors)("openai %s", (_, OpenAI) => {
  const client = new OpenAI({ apiKey: account.key, baseURL: server.baseUrl });

  test("chat.completions.create(): a whole completion, with its price and its request id", async () => {
    const { calls, charges } = await countCalls(server, account, async () => {
      const messages = [scripted({ deltas: 3 })];
      const completion = await client.chat.completions.create({ model, messages });
      expect(completion.choices[0]?.message.content).toBe(" tok tok tok");
      expect(at(completion, "usage.cost")).toBe(usdNumber(billCheap(completion.usage)));
      expect(completion._request_id).toMatch(/^req_/);
    });
    expect([calls, charges.length]).toEqual([1, 1]);
  });

  test("chat.completions.create({stream}): a complete stream", async () => {
    let text = "";
    const finishes: unknown[] = [];
    const { calls, charges } = await countCalls(server, account, async () => {
      const messages = [scripted({ deltas: 4 })];
      const stream = await client.chat.completions.create({ model, messages, stream: true });
      for await (const chunk of stream) {
        text += chunk.choices[0]?.delta.content ?? "";
        if (chunk.choices[0]?.finish_reason) finishes.push(chunk.choices[0].finish_reason);
      }
    });
    expect([text, finishes]).toEqual([" tok".repeat(4), ["stop"]]);
    expect([calls, charges.length]).toEqual([1, 1]);
  });

  test("responses.create(): a whole response, with its price and its request id", async () => {
    const { calls, charges } = await countCalls(server, account, async () => {
      const response = await client.responses.create({ model, input: scriptText({ deltas: 3 }) });
      expect(response.output_text).toBe(" tok tok tok");
      expect(response.status).toBe("completed");
      expect(response._request_id).toMatch(/^req_/);
      const { usage } = response;
      expect(usage).toMatchObject({ output_tokens: 3, input_tokens_details: { cached_tokens: 0 } });
      const counts = {
        prompt_tokens: usage?.input_tokens ?? 0,
        completion_tokens: usage?.output_tokens ?? 0,
        prompt_tokens_details: usage?.input_tokens_details,
      };
      expect(at(usage, "cost")).toBe(usdNumber(billCheap(counts)));
    });
    expect([calls, charges.length]).toEqual([1, 1]);
  });

  test("responses.create({stream}): events in order, numbered without gaps", async () => {
    let text = "";
    const numbers: number[] = [];
    const types: string[] = [];
    const { calls, charges } = await countCalls(server, account, async () => {
      const input = scriptText({ deltas: 4 });
      for await (const event of await client.responses.create({ model, input, stream: true })) {
        numbers.push(event.sequence_number);
        types.push(event.type);
        if (event.type === "response.output_text.delta") text += event.delta;
      }
    });
    expect(text).toBe(" tok".repeat(4));
    expect(numbers).toEqual(numbers.map((_, index) => index));
    expect([types[0], types.at(-1)]).toEqual(["response.created", "response.completed"]);
    expect([calls, charges.length]).toEqual([1, 1]);
  });
});
