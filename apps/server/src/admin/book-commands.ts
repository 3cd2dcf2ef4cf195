// The full check of the ledger. A command, not a verb, because it reads every request: no request of the console could
// wait for that (`money.books` answers what the last run of the job found).

import { checkBooks } from "@turnpike/ledger";
import { type Command, defineCommand } from "./command.ts";

export const bookCommands = {
  "books check": defineCommand({
    required: [],
    optional: [],
    summary: "checks the whole ledger from the beginning; exit code 1 and a list if it is wrong",
    async run({ db }) {
      const violations = await checkBooks(db());
      const isWrong = violations.length > 0;
      return {
        json: { right: !isWrong, violations },
        text: isWrong
          ? violations.map(({ check, key }) => `${check}: ${key}`)
          : ["The books are right."],
        isWrong,
      };
    },
  }),
} satisfies Record<string, Command>;
