// Operator commands for the rows of calls, which grow for ever unless months are exported and dropped.

import { retireRequests } from "@turnpike/archive";
import { Fault } from "@turnpike/base";
import { connectDatabase } from "@turnpike/db";
import { type Command, defineCommand } from "./command.ts";

const keepMonthsMin = 2;
const keepMonthsMax = 240;
/** A month is read as a whole. */
const statementMs = 3_600_000;

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
      const owner = connectDatabase({
        url: ownerUrl(),
        max: 1,
        applicationName: "turnpike admin",
        statementTimeoutMs: statementMs,
      });
      try {
        const retired = await retireRequests(owner, { keepMonths, folder });
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
