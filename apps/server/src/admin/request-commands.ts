// Exports and drops months of calls, whose rows would otherwise only grow. A command, not a verb, because it writes files
// where it runs, takes hours, and drops tables as their owner.

import { retireRequests } from "@turnpike/archive";
import { Fault } from "@turnpike/base";
import { checkRecentBooks } from "@turnpike/ledger";
import { type Command, defineCommand } from "./command.ts";
import { openAdminConnection } from "./open-admin-connection.ts";

const keepMonthsMin = 2;
const keepMonthsMax = 240;
/** A month is read as a whole. */
const statementMs = 3_600_000;
/** A server closes the leases of a process that ended within 75 seconds, and checks them every five minutes. */
const closingMs = 6 * 60_000;

export const requestCommands = {
  "requests retire": defineCommand({
    required: ["months", "folder"],
    optional: [],
    summary:
      "exports requests that are older than MONTHS whole months to FOLDER and drops them, as the owner of the tables",
    async run({ ownerUrl }, { months, folder }) {
      const keepMonths = Number(months);
      if (
        !(
          Number.isInteger(keepMonths) &&
          keepMonths >= keepMonthsMin &&
          keepMonths <= keepMonthsMax
        )
      ) {
        const range = `from ${keepMonthsMin} to ${keepMonthsMax}`;
        throw new Fault("invalid_value", `Give a whole number ${range}.`, { param: "months" });
      }
      const owner = openAdminConnection(ownerUrl(), statementMs);
      try {
        // What was closed since the last check of a server is checked now.
        const { violations } = await checkRecentBooks(owner.db);
        if (violations.length > 0) {
          throw new Fault(
            "conflict",
            "The books are wrong: `bun run admin books check` says where.",
          );
        }
        const retired = await retireRequests(owner, { keepMonths, folder, waitMs: closingMs });
        return {
          json: { retired },
          text:
            retired.length === 0
              ? ["No month is older."]
              : retired.map(
                  ({ name, calls, file }) => `${name}: ${calls} calls exported to ${file}`,
                ),
        };
      } finally {
        await owner.close();
      }
    },
  }),
} satisfies Record<string, Command>;
