// What every provider of the AI SDK must do with the running server, whichever protocol it uses.
import { expect, test } from "bun:test";
import {
  APICallError,
  generateText,
  isStepCount,
  type LanguageModel,
  RetryError,
  streamText,
} from "ai";
import {
  answerWith,
  catchError,
  countCalls,
  openAccount,
  scriptText,
  type TestAccount,
  type TestServer,
  testModels,
  testRetries,
} from "../../../harness/index.ts";
import { weather, weatherIn } from "./weather-tool.ts";

export type AiSdk = {
  readonly server: TestServer;
  readonly account: TestAccount;
  /** Of the provider, for this API key. */
  readonly connect: (apiKey: string) => (model: string) => Exclude<LanguageModel, string>;
};

const prompt = "How is the weather?";
const inBoth = [weatherIn("Oslo"), weatherIn("Rome")];
const thought = { reasoning: 1, signature: "sig==" };

/** `id` is the requested model. */
export function testAiSdk({ server, account, connect }: AiSdk, id: string = testModels.cheap) {
  const model = connect(account.key)(id);
  const lastSent = () => JSON.stringify(server.upstream.requests.at(-1)?.parsed);
  const asked = { model, prompt, tools: { weather }, stopWhen: isStepCount(3) };

  test("generateText runs a tool and continues with its result", async () => {
    answerWith(server, { toolCalls: [weatherIn("Oslo")] }, { text: "It is clear." });
    const { text, steps } = await generateText(asked);
    expect([text, steps.length]).toEqual(["It is clear.", 2]);
    expect(JSON.stringify(steps[0]?.toolResults)).toContain('"sky":"clear"');
    for (const part of ["weather", "Oslo", "sky", "clear"]) expect(lastSent()).toContain(part);
  });

  test("streamText runs parallel tool calls of a reasoning model", async () => {
    answerWith(server, { ...thought, toolCalls: inBoth }, { text: "Both are clear." });
    const stream = streamText(asked);
    await stream.consumeStream();
    expect(await stream.text).toBe("Both are clear.");
    for (const city of ["Oslo", "Rome"]) expect(lastSent()).toContain(city);
  });

  test("refusals are the SDK's APICallError with our message, and are not retried", async () => {
    const poor = await openAccount(server, { usd: "0" });
    const cases: readonly (readonly [string, string, number, string])[] = [
      ["sk-wrong", id, 401, "Incorrect API key"],
      [poor.key, id, 402, "Add funds"],
      [account.key, "test/none", 404, "test/none"],
    ];
    const { calls, charges } = await countCalls(server, account, async () => {
      for (const [key, name, statusCode, message] of cases) {
        const refused = generateText({ model: connect(key)(name), prompt: "hello" });
        const error = await catchError(refused);
        if (!APICallError.isInstance(error)) throw new Error(`not refused: ${String(error)}`);
        expect([error.statusCode, error.isRetryable]).toEqual([statusCode, false]);
        expect(error.message).toContain(message);
      }
    });
    expect([calls, charges]).toEqual([0, []]);
  });

  testRetries(server, account, 2, () => generateText({ model, prompt: "again" }));

  test("retries against an upstream that keeps failing end, and nothing is charged", async () => {
    const { calls, charges } = await countCalls(server, account, async () => {
      const failing = generateText({ model, prompt: scriptText({ status: 500 }), maxRetries: 1 });
      expect(RetryError.isInstance(await catchError(failing))).toBe(true);
    });
    expect([calls, charges]).toEqual([2, []]);
  });

  test("an answer that breaks off is an error, never a complete one", async () => {
    answerWith(server, { deltas: 9, paceMs: 20, cutAfterDeltas: 3 });
    const errors: unknown[] = [];
    const stream = streamText({
      model,
      prompt: "hello",
      onError: ({ error }) => void errors.push(error),
    });
    const parts: unknown[] = [];
    for await (const part of stream.fullStream) parts.push(part);
    expect(errors).not.toEqual([]);
    expect(JSON.stringify(parts.at(-1))).not.toContain('"finishReason":"stop"');
  });
}
