// A request of 2 KB may refer to items of 20 MiB: their bytes count like those of a body, before they are read.
import { afterAll, expect, test } from "bun:test";
import { answerWith, at, openAccount, startTestServer, testModels } from "../harness/index.ts";
import { postResponse } from "./post-responses.ts";

const server = await startTestServer();
const account = await openAccount(server);
afterAll(() => server.close());

const post = (model: string, input: unknown) =>
  postResponse(server, account.key, { body: { model, input } });

async function askForItem(): Promise<unknown> {
  answerWith(server, { text: "x".repeat(900_000) });
  const answer = await post(testModels.cheap, "hi");
  return at(await answer.json(), "output.0.id");
}

test("an account that refers to too much at once is refused until there is room again", async () => {
  const references: object[] = [];
  while (references.length < 20) {
    references.push({ type: "item_reference", id: await askForItem() });
  }
  const ask = async () => {
    const answer = await post("no/such-model", references);
    return { status: answer.status, text: await answer.text() };
  };
  const answers = await Promise.all(Array.from({ length: 60 }, ask));
  const busy = answers.filter(({ status }) => status === 429);
  expect(busy.length).toBeGreaterThan(0);
  for (const { text } of busy)
    expect(text).toContain("512 MiB of memory for request bodies at once");
  // On a busy machine some wait too long for their turn.
  for (const { status } of answers) expect(status).toBeOneOf([404, 429, 503]);
  expect((await ask()).status).toBe(404);
});
