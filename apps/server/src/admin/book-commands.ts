// The books as an operator handles them: the full check, which reads every request.

import { checkBooks } from "@turnpike/ledger";
import { type Command, defineCommand } from "./command.ts";

export const bookCommands = {
  "books check": defineCommand({
    required: [],
    optional: [],
    summary: "proves all the books from the beginning; exit code 1 and a list when they are wrong",
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
