// API keys at the desk. A key is answered once, when it is made; its list has only what is shown of it.
import type { AccountId, ApiKeyId } from "@turnpike/base";
import type { Db } from "@turnpike/db";
import { type ListedApiKey, listApiKeys, mintApiKey, revokeApiKey } from "@turnpike/keys";
import { formatUsd, nameCharsMax } from "@turnpike/terms";
import { queryAccount } from "./account/query-account.ts";
import { accountInput, idInput, line } from "./inputs.ts";
import { actorOf, command, everyone, owners, query, support } from "./verb.ts";

export const keyVerbs = {
  list: query({
    roles: everyone,
    summary: "the keys of an account, newest first",
    input: { account: accountInput },
    run: async ({ db }, _, { account }) => listKeys(db, (await queryAccount(db, account)).id),
  }),
  create: command({
    roles: owners,
    label: "Create API key",
    secret: "key",
    summary: "a key that spends for an account; it is answered once and cannot be shown again",
    input: { account: accountInput, name: line(nameCharsMax.apiKey) },
    reasonIsOptional: true,
    async run({ db }, by, { account, name, reason }) {
      const { id: accountId } = await queryAccount(db, account);
      const input = { accountId, createdBy: undefined, name, actor: actorOf(by, reason) };
      const { id, key } = await mintApiKey(db, input);
      return { id, key, name: name.trim(), accountId };
    },
    describe: ({ id, key }) => [key, `Key ${id}; it cannot be shown again.`],
  }),
  revoke: command({
    roles: support,
    label: "Revoke API key",
    summary: "revokes a key on every instance within a second",
    input: { id: idInput<ApiKeyId>() },
    reasonIsOptional: true,
    async run({ db }, by, { id, reason }) {
      await revokeApiKey(db, id, undefined, actorOf(by, reason));
      return { id, revoked: true };
    },
  }),
};

async function listKeys(db: Db, accountId: AccountId) {
  const now = Date.now();
  const keys = (await listApiKeys(db, accountId)).map((key) => ({
    id: key.id,
    name: key.name,
    masked: key.masked,
    state: stateOf(key, now),
    spentUsd: formatUsd(key.spentNanos),
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
  }));
  return { accountId, keys };
}

function stateOf(key: ListedApiKey, now: number): "revoked" | "expired" | "disabled" | "active" {
  if (key.revokedAt !== null && key.revokedAt.getTime() <= now) return "revoked";
  if (key.expiresAt !== null && key.expiresAt.getTime() <= now) return "expired";
  return key.disabledAt === null ? "active" : "disabled";
}
