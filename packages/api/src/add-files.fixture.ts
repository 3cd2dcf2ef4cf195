// A file that a key of these tests keeps, and a batch of its lines.
import {
  type AccountId,
  type ApiKeyId,
  defaultProjectOf,
  formatBatchId,
  formatFileId,
} from "@turnpike/base";
import { createBatch } from "@turnpike/batches";
import { openObjectWriter } from "@turnpike/objects";
import type { ApiServices } from "./context.ts";
import type { OwnedIds } from "./walk-sample.fixture.ts";

const keptSeconds = 86_400;

export async function addFiles(
  { db, objects }: ApiServices,
  accountId: AccountId,
  keyId: ApiKeyId,
): Promise<Pick<OwnedIds, "fileId" | "batchId">> {
  if (objects === undefined) throw new Error("These tests keep files.");
  const owner = { accountId, projectId: defaultProjectOf(accountId) };
  const about = { owner, keyId, kind: "file", declaredBytes: 0 } as const;
  const writer = openObjectWriter(objects, (work) => work(db), about);
  await writer.write(Buffer.from("{}"));
  const facts = { purpose: "batch", mediaType: "text/plain", filename: "lines.jsonl" };
  const file = await writer.store({ ...facts, keptSeconds });
  await writer.close();
  const batch = await createBatch(db, objects, {
    owner,
    keyId,
    endpoint: "/v1/chat/completions",
    inputObjectId: file.id,
    metadata: null,
    outputKeptSeconds: keptSeconds,
  });
  return { fileId: formatFileId(file.id), batchId: formatBatchId(batch.id) };
}
