// Questions of visitors on the landing page, paid by the key that the operator chose.
import { afterAll, expect, test } from "bun:test";
import {
  at,
  expectCleanBooks,
  type JsonObject,
  openAccount,
  openTestSite,
  parseEvents,
  scriptText,
  startTestServer,
  testModels,
} from "../harness/index.ts";
import { awaitRequest } from "../money/read-requests.ts";

const site = await openTestSite();
const payer = await openAccount(site);
const environment = { DEMO_API_KEY: payer.key };
const server = await startTestServer({ site, environment });
afterAll(async () => {
  await expectCleanBooks(server);
  await server.close();
  await site.close();
});

const own = { "content-type": "application/json", origin: server.url };

function ask(body: JsonObject, headers: Record<string, string> = own, of = server) {
  const text = JSON.stringify(body);
  return fetch(`${of.url}/console/demo`, { method: "POST", headers, body: text });
}

test("a visitor's question is answered without an account, and the operator's key pays", async () => {
  const question = scriptText({ deltas: 5 });
  // Whatever else a visitor sends is not passed on.
  const answer = await ask({ model: testModels.cheap, question, max_tokens: 9_999, n: 4 });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  const { events } = parseEvents(await answer.text());
  expect(at(events.at(-1), "usage.completion_tokens")).toBe(5);
  const row = await awaitRequest(server, "demo");
  expect(row).toMatchObject({ state: "settled", completionTokens: 5 });
  const [sent] = server.upstream.requests.slice(-1);
  expect(sent?.chat).toMatchObject({ maxTokens: 300, choices: 1 });
});

test("only our own pages may ask, and only a short question to one model", async () => {
  const question = "Hello";
  const foreign = await ask(
    { model: testModels.cheap, question },
    { ...own, origin: "https://elsewhere.example" },
  );
  expect(foreign.status).toBe(403);
  expect(await foreign.text()).toContain("did not come from our own pages");
  for (const body of [
    { model: testModels.cheap },
    { question },
    { model: testModels.cheap, question: "x".repeat(501) },
    { model: testModels.cheap, question: "  " },
    { model: testModels.cheap, question, more: "x".repeat(9_000) },
  ]) {
    const refused = await ask(body);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain("at most 500 characters");
  }
});

test("one network may ask nine times, then waits", async () => {
  const alone = await openTestSite();
  const { key } = await openAccount(alone);
  const limited = await startTestServer({ site: alone, environment: { DEMO_API_KEY: key } });
  try {
    const statuses: number[] = [];
    for (let nth = 0; nth < 10; nth += 1) {
      const headers = { ...own, origin: limited.url };
      const answer = await ask({ model: "no/such", question: "Hello" }, headers, limited);
      statuses.push(answer.status);
      if (answer.status === 429) expect(answer.headers.get("retry-after")).not.toBeNull();
    }
    expect(statuses).toEqual([...Array.from({ length: 9 }, () => 404), 429]);
  } finally {
    await limited.close();
    await alone.close();
  }
});

test("without a key to pay there is nothing to ask", async () => {
  const without = await startTestServer({ site });
  try {
    const headers = { ...own, origin: without.url };
    expect((await ask({ model: testModels.cheap, question: "Hi" }, headers, without)).status).toBe(
      404,
    );
  } finally {
    await without.close();
  }
});
