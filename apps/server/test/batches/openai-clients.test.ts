// Batches by OpenAI's client for JavaScript, in three of its versions.
import { describe, expect, test } from "bun:test";
import { majors } from "../clients/openai-majors.ts";
import { openAccount, startTestServer, useServer } from "../harness/index.ts";
import { batchesEnvironment, batchesTimes, chatLine, useBatches } from "./use-batches.fixture.ts";

const { server } = await useServer(
  startTestServer({ environment: batchesEnvironment, serverTimes: batchesTimes }),
);
const { awaitOver } = useBatches(server, () => server.baseUrl);

describe.each(majors)("openai %s", (_, OpenAI) => {
  test("batches.create, retrieve, list and cancel, and the content of the results", async () => {
    const { key: apiKey } = await openAccount(server);
    const client = new OpenAI({ apiKey, baseURL: server.baseUrl });
    const lines = [chatLine("one"), chatLine("two")].join("\n");
    const file = await client.files.create({
      file: new File([lines], "lines.jsonl"),
      purpose: "batch",
    });
    const { id } = await client.batches.create({
      input_file_id: file.id,
      endpoint: "/v1/chat/completions",
      completion_window: "24h",
      metadata: { job: "nightly" },
    });
    await awaitOver(apiKey, id);
    const batch = await client.batches.retrieve(id);
    expect(batch).toMatchObject({ status: "completed", metadata: { job: "nightly" } });
    expect(batch.request_counts).toEqual({ total: 2, completed: 2, failed: 0 });
    const results = await (await client.files.content(batch.output_file_id ?? "")).text();
    expect(results.trimEnd().split("\n")).toHaveLength(2);
    const listed: string[] = [];
    for await (const one of client.batches.list({ limit: 1 })) listed.push(one.id);
    expect(listed).toEqual([id]);
    expect((await client.batches.cancel(id)).status).toBe("completed");
  });
});
