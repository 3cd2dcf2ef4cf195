// The official `cohere-ai`, which adds `/v2` to its base URL, with and without `/v1` in that: each ranking is paid once.
import { expect, test } from "bun:test";
import { CohereClientV2, CohereError } from "cohere-ai";
import { countCalls, startTestServer, testModels, useServer } from "../../../harness/index.ts";

const { server, account } = await useServer(startTestServer());

const documents = ["the moon", "dogs and cats", "my dogs"];
const rank = (environment: string, token: string, model: string = testModels.rerank) =>
  new CohereClientV2({ token, environment }).rerank(
    { model, query: "dogs cats", documents, topN: 2 },
    { maxRetries: 0 },
  );

test.each([server.url, server.baseUrl])("documents are ranked under %s", async (url) => {
  const { calls, charges } = await countCalls(server, account, async () => {
    const { results, meta } = await rank(url, account.key);
    expect(results.map(({ index }) => index)).toEqual([1, 2]);
    expect(meta?.billedUnits?.searchUnits).toBe(1);
  });
  expect([calls, charges.length]).toEqual([1, 1]);
});

test("a refusal has its status", async () => {
  const refusals = await Promise.all(
    [rank(server.url, "sk-wrong"), rank(server.url, account.key, "test/none")].map((asked) =>
      asked.catch((error: unknown) => (error instanceof CohereError ? error.statusCode : error)),
    ),
  );
  expect(refusals).toEqual([401, 404]);
});
