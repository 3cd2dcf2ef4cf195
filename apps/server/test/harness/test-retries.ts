// Most clients retry by themselves what an upstream refuses for the moment: each such try is one call of the
// upstream, and only the answer is charged.
import { expect, test } from "bun:test";
import { answerWith } from "./ask-server.ts";
import { countCalls } from "./count-calls.ts";
import type { TestAccount } from "./open-account.ts";
import type { TestServer } from "./start-test-server.ts";

/**
 * Declares the tests. `call` asks once, with a prompt without a script, and fails unless it is answered;
 * `tries` is how many requests its client is allowed.
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
