// An API key and a management key of a person of these tests, and a call with a stored prompt that was made with the first.
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
import { addGuardrail, storePrompt } from "./add-secrets.fixture.ts";
import type { ApiServices } from "./context.ts";
import type { OwnedIds } from "./walk-sample.fixture.ts";

/** Keys of a person, and a request that was made with one. */
export async function addUsedKey(
  services: ApiServices,
  owner: Connection,
  accountId: AccountId,
  createdBy: PersonId,
): Promise<Pick<OwnedIds, "keyId" | "guardrailId" | "managementKeyId" | "generationId">> {
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
  return { keyId, guardrailId, managementKeyId, generationId: formatGenerationId(rowId) };
}
