// An API key and a management key of a person of these tests, and what the first made: a call with a stored prompt, a file, a batch.
import {
  type AccountId,
  formatGenerationId,
  type GenerationId,
  type ManagementKeyId,
  newId,
  type PersonId,
} from "@turnpike/base";
import { type Connection, managementKeys } from "@turnpike/db";
import { mintApiKey } from "@turnpike/keys";
import { addFiles } from "./add-files.fixture.ts";
import { addGuardrail, storePrompt } from "./add-secrets.fixture.ts";
import type { ApiServices } from "./context.ts";
import type { OwnedIds } from "./walk-sample.fixture.ts";

type UsedKey = Pick<
  OwnedIds,
  "keyId" | "guardrailId" | "managementKeyId" | "generationId" | "fileId" | "batchId"
>;

export async function addUsedKey(
  services: ApiServices,
  owner: Connection,
  accountId: AccountId,
  createdBy: PersonId,
): Promise<UsedKey> {
  const { id: keyId } = await mintApiKey(services.db, { accountId, createdBy, name: "own" });
  const { guardrailId } = await addGuardrail(services.db, accountId, keyId);
  const rowId = newId<GenerationId>();
  await owner.sql`
    insert into requests (account_id, id, key_id, state, status, model, outcome)
    values (${accountId}, ${rowId}, ${keyId}, 'refused', 402, 'a/model', 'refused')`;
  await owner.sql`update projects set prompt_days = coalesce(prompt_days, 5) where id = ${accountId}`;
  await storePrompt({ services, sql: owner.sql }, accountId, rowId, "asked with this key");
  const managementKeyId = newId<ManagementKeyId>();
  const facts = { name: "own", masked: "sk-tpm-…", permissions: ["keys.read"], createdBy };
  const hash = Buffer.from(managementKeyId);
  await owner.db.insert(managementKeys).values({ accountId, id: managementKeyId, hash, ...facts });
  const files = await addFiles(services, accountId, keyId);
  const generationId = formatGenerationId(rowId);
  return { keyId, guardrailId, managementKeyId, generationId, ...files };
}
