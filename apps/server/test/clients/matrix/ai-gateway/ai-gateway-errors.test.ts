// Refusals as the AI SDK's gateway provider shows them: errors of its own classes with our message, which it repeats only after a 429
// or a failure of a server.
import { describe, expect, test } from "bun:test";
import {
  answerWith,
  catchError,
  countCalls,
  openAccount,
  startTestServer,
  testModels,
  useServer,
} from "../../../harness/index.ts";
import { majors } from "../../ai-sdk-majors.ts";

const { server, account } = await useServer(startTestServer());

describe.each(majors)("AI SDK %s", (_, { sdk, base }) => {
  const connect = (apiKey: string) =>
    sdk.createGateway({ apiKey, baseURL: `${server.url}${base}` });

  test("a wrong key, an empty wallet and an unknown model are not repeated", async () => {
    const poor = await openAccount(server, { usd: "0" });
    // The SDK shows a wrong key in words of its own, without a status.
    const cases: readonly (readonly [string, string, number | undefined, string, string])[] = [
      ["sk-wrong", testModels.cheap, undefined, "GatewayAuthenticationError", ""],
      [poor.key, testModels.cheap, 402, "GatewayInternalServerError", "Add funds"],
      [account.key, "test/none", 404, "GatewayModelNotFoundError", "test/none"],
    ];
    const { calls, charges } = await countCalls(server, account, async () => {
      for (const [key, id, status, name, message] of cases) {
        const error = await catchError(
          sdk.generateText({ model: connect(key)(id), prompt: "hello" }),
        );
        if (!(error instanceof Error)) throw new Error(`not refused: ${String(error)}`);
        expect([error.name, Reflect.get(error, "statusCode")]).toEqual([name, status]);
        expect(Reflect.get(error, "isRetryable") ?? false).toBe(false);
        expect(error.message).toContain(message);
      }
    });
    expect([calls, charges]).toEqual([0, []]);
  });

  test("a call that is asked too often is an error of its class", async () => {
    answerWith(server, { status: 429 });
    const model = connect(account.key)(testModels.cheap);
    const error = await catchError(sdk.generateText({ model, prompt: "hello", maxRetries: 0 }));
    if (!(error instanceof Error)) throw new Error(`not refused: ${String(error)}`);
    expect(error.name).toBe("GatewayRateLimitError");
  });
});
