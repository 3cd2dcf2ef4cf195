// Spreads requests over the workers of a Citus cluster (`docs/scaling.md`). A command, not a verb, because it changes
// the database itself, as the owner of its tables, and copies for up to an hour.
import { distributeTables } from "@turnpike/db";
import { type Command, defineCommand } from "./command.ts";
import { openAdminConnection } from "./open-admin-connection.ts";

/** A table that has rows already is copied to the workers. */
const statementMs = 3_600_000;

export const distributeCommand = {
  "database distribute": defineCommand({
    required: [],
    optional: [],
    summary: "spreads requests over the workers of a Citus cluster; safe to repeat",
    async run({ ownerUrl }) {
      const connection = openAdminConnection(ownerUrl(), statementMs);
      try {
        const { distributed, shards, workers } = await distributeTables(connection.sql);
        const names = distributed.length === 0 ? "nothing" : distributed.join(", ");
        return {
          json: { distributed, shards, workers },
          text: [`Distributed now: ${names}. ${shards} shards, ${workers} workers.`],
        };
      } finally {
        await connection.close();
      }
    },
  }),
} satisfies Record<string, Command>;
