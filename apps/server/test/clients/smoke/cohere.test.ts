// The official `cohere-ai`: documents are ranked, and paid once.
import { expect, test } from "bun:test";
import { CohereClientV2 } from "cohere-ai";
import { countCalls, startTestServer, testModels, useServer } from "../../harness/index.ts";

const { server, account } = await useServer(startTestServer());

const client = new CohereClientV2({ token: account.key, environment: server.url });

test("documents are ranked, and paid once", async () => {
  const { calls, charges } = await countCalls(server, account, async () => {
    const documents = ["the moon", "dogs and cats"];
    const asked = { model: testModels.rerank, query: "dogs cats", documents };
    const { results } = await client.rerank(asked, { maxRetries: 0 });
    expect(results.map(({ index }) => index)).toEqual([1, 0]);
  });
  expect([calls, charges.length]).toEqual([1, 1]);
});
