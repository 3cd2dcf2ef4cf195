// Most clients themselves retry a temporary refusal of an upstream: each such try is one upstream
// call, and only the answer is charged.
import { expect, test } from "bun:test";
import { answerWith } from "./ask-server.ts";
import { countCalls } from "./count-calls.ts";
import type { TestAccount } from "./open-account.ts";
import type { TestServer } from "./start-test-server.ts";

/**
 * Declares the tests. `call` sends one request, with a prompt without a script, and fails unless it is
 * answered; `tries` is how many requests its client may send.
 */
export function testRetries(
  server: TestServer,
  account: TestAccount,
  tries: number,
  call: () => PromiseLike<unknown>,
): void {
  test.each([429, 500, 503])(
    "a %i is retried by the client itself, and charged once",
    async (status) => {
      const refusals = Array.from({ length: tries - 1 }, () => ({ status }));
      answerWith(server, ...refusals, { deltas: 1 });
      const { calls, charges } = await countCalls(server, account, call);
      expect([calls, charges.length]).toEqual([tries, 1]);
    },
  );
}
