// Operator commands for API keys. A new key is printed once and cannot be shown again.

import { findAccount } from "@turnpike/auth";
import { type ApiKeyId, Fault, formatUsd, parseId } from "@turnpike/base";
import { listApiKeys, mintApiKey, revokeApiKey } from "@turnpike/keys";
import { type Command, defineCommand } from "./command.ts";
import { operatorHere } from "./operator-here.ts";

export const keyCommands = {
  "key create": defineCommand({
    required: ["email", "name"],
    optional: [],
    summary: "prints the key once",
    async run({ db }, { email, name }) {
      const account = await findAccount(db(), email);
      const input = { accountId: account.id, createdBy: undefined, name, actor: operatorHere() };
      const { id, key } = await mintApiKey(db(), input);
      return {
        json: { id, key, name: name.trim(), accountId: account.id },
        text: [key, `Key ${id}; it cannot be shown again.`],
      };
    },
  }),
  "key revoke": defineCommand({
    required: ["id"],
    optional: [],
    summary: "revokes a key on every instance within a second",
    async run({ db }, { id: text }) {
      const id = parseId<ApiKeyId>(text.toLowerCase());
      if (id === undefined) {
        throw new Fault("invalid_value", "A key's id is a UUID; `key list` shows it.", {
          param: "id",
        });
      }
      await revokeApiKey(db(), id, undefined, operatorHere());
      return { json: { id, revoked: true }, text: [`Revoked key ${id}.`] };
    },
  }),
  "key list": defineCommand({
    required: ["email"],
    optional: [],
    summary: "the keys of an account, newest first",
    async run({ db }, { email }) {
      const account = await findAccount(db(), email);
      const now = Date.now();
      const keys = (await listApiKeys(db(), account.id)).map((key) => ({
        id: key.id,
        name: key.name,
        masked: key.masked,
        state: stateOf(key, now),
        spentUsd: formatUsd(key.spentNanos),
        createdAt: key.createdAt,
        lastUsedAt: key.lastUsedAt,
        expiresAt: key.limits.expiresAt ?? null,
        revokedAt: key.revokedAt,
      }));
      const lines = keys.map(
        (key) => `${key.id}  ${key.masked}  ${key.state.padEnd(8)}  $${key.spentUsd}  ${key.name}`,
      );
      return {
        json: { accountId: account.id, keys },
        text: lines.length > 0 ? lines : ["No keys yet."],
      };
    },
  }),
} satisfies Record<string, Command>;

type Listed = Awaited<ReturnType<typeof listApiKeys>>[number];

function stateOf(key: Listed, now: number): "revoked" | "expired" | "disabled" | "active" {
  if (key.revokedAt !== null && key.revokedAt.getTime() <= now) return "revoked";
  if (key.limits.expiresAt !== undefined && key.limits.expiresAt.getTime() <= now) return "expired";
  return key.disabledAt === null ? "active" : "disabled";
}
