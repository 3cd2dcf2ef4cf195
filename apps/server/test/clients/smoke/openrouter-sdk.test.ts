// OpenRouter's own SDK, which checks every answer against OpenRouter's schema, over every dialect: a whole answer with
// its cost, and a stream, each paid once.
import { describe, expect, test } from "bun:test";
import { at, countCalls, scripted, startTestServer, useServer } from "../../harness/index.ts";
import { asEvents, openOpenRouter } from "../open-openrouter.ts";
import { dialectCatalog, dialects } from "../over-dialects.ts";

const { server, account } = await useServer(startTestServer({ catalog: dialectCatalog }));

const client = openOpenRouter(server, account.key);
const costOf = (answer: unknown) => Number(at(answer, "usage.cost"));

describe.each(dialects)("over %s", (dialect) => {
  const model = `over/${dialect}`;
  const messages = [scripted({ deltas: 3 })];

  test("a whole completion, with its cost and its generation", async () => {
    const { calls, charges } = await countCalls(server, account, async () => {
      const completion = await client.chat.send({
        chatRequest: {
          model,
          messages,
          models: [`over/${dialects[0]}`],
          user: "u",
          provider: { sort: "price", allowFallbacks: true },
          sessionId: "s",
          trace: { traceName: "t" },
          metadata: { a: "b" },
        },
      });
      expect(at(completion, "choices.0.message.content")).toBe(" tok tok tok");
      expect(costOf(completion)).toBeGreaterThan(0);
      const id = String(at(completion, "id"));
      const generation = await client.generations.getGeneration({ id });
      expect(at(generation, "data.totalCost")).toBe(costOf(completion));
    });
    expect([calls, charges.length]).toEqual([1, 1]);
  });

  test("a stream, which ends with its usage", async () => {
    for (const streamOptions of [undefined, { includeUsage: true }]) {
      const { calls, charges } = await countCalls(server, account, async () => {
        const chatRequest = { model, messages, stream: true, streamOptions };
        let text = "";
        let last: unknown;
        for await (const chunk of asEvents(await client.chat.send({ chatRequest }))) {
          text += String(at(chunk, "choices.0.delta.content") ?? "");
          last = chunk;
        }
        expect(text).toBe(" tok tok tok");
        expect(costOf(last)).toBeGreaterThan(0);
      });
      expect([calls, charges.length]).toEqual([1, 1]);
    }
  });
});
