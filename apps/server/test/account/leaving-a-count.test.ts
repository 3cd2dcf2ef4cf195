// Counting tokens ends when its client leaves: what nobody waits for does not keep the thread that counts busy.
import { afterAll, expect, spyOn, test } from "bun:test";
import { openAccount, startTestServer, testCatalog, testModels } from "../harness/index.ts";

// A context that the prompt below fits into: longer ones are not counted to their end.
const server = await startTestServer({
  catalog: (url) => testCatalog(url).replaceAll("contextTokens: 128000", "contextTokens: 5000000"),
});
afterAll(() => server.close());

// Letters that no tokenizer has seen before are counted slowest.
const long = Array.from({ length: 100_000 }, (_, index) => Bun.hash(`${index}`).toString(36)).join(
  "",
);
const messages = [{ role: "user", content: long }];

/** The next count of the server: when it has begun, and how long it took when it ended. */
function watchCount() {
  const { countBudget } = server.services.gateway;
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<number>();
  const take = countBudget.take.bind(countBudget);
  const spy = spyOn(countBudget, "take").mockImplementation((...asked) => {
    spy.mockRestore();
    const time = take(...asked);
    let sumMs = 0;
    begun.resolve();
    return {
      spend(spentMs) {
        sumMs += spentMs;
        time.spend(spentMs);
      },
      end() {
        time.end();
        ended.resolve(sumMs);
      },
    };
  });
  return { begun: begun.promise, ended: ended.promise };
}

test.each(["/messages/count_tokens", "/responses/input_tokens", "/estimate"])(
  "the count of a prompt for %s ends when its client leaves",
  async (path) => {
    const post = async (signal?: AbortSignal) => {
      const { key } = await openAccount(server, { usd: "900000" });
      const init = {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({
          model: testModels.cheap,
          ...(path.startsWith("/responses") ? { input: long } : { messages, max_tokens: 10 }),
        }),
      };
      return fetch(`${server.baseUrl}${path}`, signal === undefined ? init : { ...init, signal });
    };
    const whole = watchCount();
    expect((await post()).status).toBe(200);
    const wholeMs = await whole.ended;
    const left = watchCount();
    const leaving = new AbortController();
    const answer = post(leaving.signal).catch((error: unknown) => error);
    await left.begun;
    leaving.abort();
    expect(await answer).toMatchObject({ name: "AbortError" });
    expect(await left.ended).toBeLessThan(wholeMs / 2);
  },
);
