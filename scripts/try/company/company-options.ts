// What the command line may change about the company. Built-in modules only: it is read before anything is installed.
import { parseArgs } from "node:util";

export type CompanyOptions = {
  /** With its founder. */
  readonly people: number;
  readonly days: number;
};

export const usage = `usage: bun scripts/try/company.ts [--people 50] [--days 30]
Builds a company through the management API, lets it spend, lets a fifth leave, and closes the books.`;

/** The options, or a message that says what is wrong. */
export function readCompanyOptions(words: readonly string[]): CompanyOptions | string {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        people: { type: "string", default: "50" },
        days: { type: "string", default: "30" },
      },
    });
    const options = { people: Number(values.people), days: Number(values.days) };
    if (!Number.isInteger(options.people) || options.people < 8) return "--people is at least 8.";
    if (!Number.isInteger(options.days) || options.days < 3) return "--days is at least 3.";
    return options;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
