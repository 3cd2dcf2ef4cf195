// Migrates the database, for servers whose own role may not. A command, not a verb, because verbs need tables.
import { migrate } from "@turnpike/db";
import { ledgerKeysOf } from "../ledger-keys-of.ts";
import { type Command, defineCommand } from "./command.ts";

export const migrateCommand = {
  migrate: defineCommand({
    required: [],
    optional: [],
    summary: "migrates the database, as DATABASE_MIGRATION_URL; servers without that check only",
    async run({ config, ownerUrl }) {
      const { from, to } = await migrate({
        url: ownerUrl(),
        passLiveInstances: config.MIGRATE_PAST_LIVE_INSTANCES,
        sandbox: config.SANDBOX,
        ledgerKeys: ledgerKeysOf(config),
      });
      const change = from === undefined ? `created, at ${to}` : `${from} before, ${to} now`;
      return {
        json: { from: from ?? null, to },
        text: [`The schema is current: ${change}.`],
      };
    },
  }),
} satisfies Record<string, Command>;
