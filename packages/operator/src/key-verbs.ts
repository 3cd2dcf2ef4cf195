// API keys at the desk.
import type { ApiKeyId } from "@turnpike/base";
import { revokeApiKey } from "@turnpike/keys";
import { listKeys } from "./account/list-keys.ts";
import { readAccount } from "./account/read-account.ts";
import { accountInput, idInput } from "./inputs.ts";
import { actorOf, command, everyone, query, support } from "./verb.ts";

export const keyVerbs = {
  list: query({
    roles: everyone,
    summary: "the keys of an account, newest first",
    input: { account: accountInput },
    run: async ({ db }, _, { account }) => listKeys(db, (await readAccount(db, account)).id),
  }),
  revoke: command({
    roles: support,
    summary: "revokes a key on every instance within a second",
    input: { id: idInput<ApiKeyId>() },
    async run({ db }, by, { id, reason }) {
      await revokeApiKey(db, id, undefined, actorOf(by, reason));
      return { id, revoked: true };
    },
  }),
};
