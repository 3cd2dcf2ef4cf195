// /v1/messages/count_tokens counts a prompt for nothing, even one that its model could not answer.
import { expect, test } from "bun:test";
import {
  at,
  countCalls,
  readJson,
  scripted,
  startTestServer,
  testModels,
  useServer,
} from "../harness/index.ts";

const { server, account } = await useServer(startTestServer());

const post = (body: object, key = account.key) =>
  fetch(`${server.url}/v1/messages/count_tokens`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": key },
    body: JSON.stringify(body),
  });

async function count(body: object): Promise<number> {
  const answer = await post(body);
  expect(answer.status).toBe(200);
  return Number(at(await readJson(answer), "input_tokens"));
}

test("counting tokens is free, calls no upstream and requires a key", async () => {
  const body = { model: testModels.cheap, messages: [scripted({})] };
  const { calls, charges } = await countCalls(server, account, async () => {
    const short = await count(body);
    const long = await count({ ...body, system: "One more sentence in front of it." });
    expect(short).toBeGreaterThan(5);
    expect(long).toBeGreaterThan(short + 5);
  });
  expect([calls, charges]).toEqual([0, []]);
  expect((await post(body, "sk-wrong")).status).toBe(401);
});

test("a prompt that is too long for its model is still counted, up to two million tokens", async () => {
  const bodyOf = (content: string) => ({
    model: testModels.small,
    messages: [{ role: "user", content }],
  });
  expect(await count(bodyOf("one ".repeat(3_000)))).toBeGreaterThan(3_000);
  const refused = await post(bodyOf("🧿".repeat(1_000_000)));
  expect(refused.status).toBe(400);
  expect(at(await readJson(refused), "error.message")).toStartWith("prompt is too long: ");
});
