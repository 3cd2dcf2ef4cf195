// Counting tokens is free, and bounded by time: an account cannot make the process count for others' time.
import { afterAll, expect, test } from "bun:test";
import {
  at,
  chatBody,
  expectFault,
  openAccount,
  postChat,
  readJson,
  startTestServer,
  testModels,
} from "../harness/index.ts";

const server = await startTestServer();
afterAll(() => server.close());

const prose = "The ferryman counted twelve lamps, and paid for the last one himself. ";
const long = prose.repeat(100_000);
const messages = [{ role: "user", content: long }];

function post(key: string, path: string): Promise<Response> {
  return fetch(`${server.baseUrl}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: testModels.cheap,
      ...(path.startsWith("/responses") ? { input: long } : { messages, max_tokens: 10 }),
    }),
  });
}

test.each(["/messages/count_tokens", "/responses/input_tokens", "/estimate"])(
  "ten requests of 7 MB at once to %s are not all counted",
  async (path) => {
    const { key } = await openAccount(server, { usd: "0" });
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(key, path)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(5);
    for (const answer of answers) {
      if (answer.status !== 429) await answer.text();
    }
    for (const answer of refused) {
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      const body = await readJson(answer);
      expect(at(body, "error.message")).toContain("seconds of counting tokens per minute");
    }
  },
);

test("a prompt that the money cannot cover is not counted to its end before it is refused", async () => {
  const { key } = await openAccount(server, { usd: "0" });
  // Some 90,000 tokens, at 15,000 nano-dollars each.
  const content = prose.repeat(6_000);
  const asked = {
    model: testModels.expensive,
    max_tokens: 1,
    messages: [{ role: "user", content }],
  };
  const answer = await postChat(server, key, chatBody({}, asked));
  const body = await expectFault(answer, {
    status: 402,
    type: "insufficient_quota",
    code: "insufficient_quota",
  });
  const neededTokens = (Number(at(body, "metadata.needed_usd")) * 1e9) / 15_000;
  expect(neededTokens).toBeGreaterThan(20_000);
  expect(neededTokens).toBeLessThan(40_000);
});
