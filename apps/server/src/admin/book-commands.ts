// Operator commands for the ledger: the full check, which reads every request.

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
