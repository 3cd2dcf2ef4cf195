// Makes API keys. A new key is printed once and cannot be shown again.

import { findAccount } from "@turnpike/auth";
import { mintApiKey } from "@turnpike/keys";
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
} satisfies Record<string, Command>;
