// Batches of one account as a client leaves and reads them: a file of lines, a batch of it, and its results.

import type { Script } from "@turnpike/testing";
import type { TestSite } from "../harness/index.ts";
import { asObject, at, chatBody, type JsonObject, readJson } from "../harness/index.ts";

export const batchesEnvironment = { SEALING_KEY: "the-sealing-key-of-the-tests-of-batches" };
/** Soon. */
export const batchesTimes = { runBatchesEveryMs: 50 };

const endpoint = "/v1/chat/completions";
const over = ["failed", "completed", "expired", "cancelled"];
/** Generous, because a machine may be busy. */
const patienceMs = 60_000;
const pollMs = 50;

/** A line that asks the scripted upstream. */
export function chatLine(customId: string, script: Script = {}, fields: JsonObject = {}): string {
  const body = { ...chatBody(script), ...fields };
  return JSON.stringify({ custom_id: customId, method: "POST", url: endpoint, body });
}

export function useBatches(site: Pick<TestSite, "owner">, baseUrl: () => string) {
  const ask = (key: string, path: string, init: RequestInit = {}) =>
    fetch(baseUrl() + path, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${key}` },
    });
  const post = (key: string, path: string, body: unknown) =>
    ask(key, path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  async function upload(key: string, text: string, purpose = "batch"): Promise<string> {
    const form = new FormData();
    form.append("purpose", purpose);
    form.append("file", new Blob([text]), "lines.jsonl");
    return String((await readJson(await ask(key, "/files", { method: "POST", body: form }))).id);
  }
  const read = async (key: string, id: unknown) => readJson(await ask(key, `/batches/${id}`));
  async function awaitBatch(
    key: string,
    id: unknown,
    isReached: (batch: JsonObject) => boolean | Promise<boolean>,
  ): Promise<JsonObject> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const batch = await read(key, id);
      if (await isReached(batch)) return batch;
      if (performance.now() > deadline) throw new Error(`waited for ${JSON.stringify(batch)}`);
      await Bun.sleep(pollMs);
    }
  }
  return {
    ask,
    post,
    upload,
    read,
    awaitBatch,
    /** Of these lines; answers the batch as it was accepted. */
    async create(key: string, text: string, fields: JsonObject = {}): Promise<JsonObject> {
      const input = { input_file_id: await upload(key, text), endpoint, completion_window: "24h" };
      return readJson(await post(key, "/batches", { ...input, ...fields }));
    },
    awaitOver: (key: string, id: unknown) =>
      awaitBatch(key, id, ({ status }) => over.includes(String(status))),
    /** The lines of a file of results, by `custom_id`; each may be there once. */
    async readResults(key: string, fileId: unknown): Promise<ReadonlyMap<string, JsonObject>> {
      if (fileId === null) return new Map();
      const text = await (await ask(key, `/files/${fileId}/content`)).text();
      const lines = text
        .trimEnd()
        .split("\n")
        .map((line) => asObject(JSON.parse(line)));
      const results = new Map(lines.map((line) => [String(at(line, "custom_id")), line]));
      if (results.size !== lines.length) throw new Error("a line is in the results twice");
      return results;
    },
    /** As if every claim, pause and wait of the account's batches were over. */
    async makeDue(accountId: string): Promise<void> {
      const { sql } = site.owner;
      await sql`update batch_lines set due_at = now(), claimed_until = null
        where account_id = ${accountId} and state = 'waiting'`;
      await sql`update batches set due_at = now(), paused_until = null
        where account_id = ${accountId} and ended_at is null`;
    },
  };
}
