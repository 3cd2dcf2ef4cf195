// What the command line chooses about a mutation run. Built-in modules only: it is read before
// anything is installed.
import { parseArgs } from "node:util";

export type MutateOptions = {
  /** Folders or names: `ledger` is packages/ledger/src, `server` apps/server/src, `sql` drizzle/functions. */
  targets: readonly string[];
  /** At most this many mutants of each target; the seed chooses which. */
  sample: number;
  seed: string;
  /** Only mutants whose `path:line: change` contains this. */
  only: string | undefined;
  /** One JSON line per tried mutant; a mutant already listed is not tried again. */
  results: string;
  /** Try the survivors in `results` again. */
  retry: boolean;
  /** Tests of this many seconds are run for one mutant, the closest first. */
  seconds: number;
  /** Only test files whose path begins with one of these; separated by commas. */
  tests: readonly string[];
  /** Print the chosen mutants and stop. */
  list: boolean;
};

export const usage = `usage: bun run mutate TARGET… [--sample 50] [--seed 1] [--only TEXT] [--seconds 60]
                      [--tests packages/wire] [--results FILE] [--retry] [--list]
targets: a package (ledger, wire, …), server, sql, or a folder or file of the repository`;

/** The options, or a message that says what is wrong. */
export function readMutateOptions(words: readonly string[]): MutateOptions | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        sample: { type: "string", default: "50" },
        seed: { type: "string", default: "1" },
        only: { type: "string" },
        seconds: { type: "string", default: "60" },
        results: { type: "string", default: "mutation-results.jsonl" },
        retry: { type: "boolean", default: false },
        tests: { type: "string", default: "" },
        list: { type: "boolean", default: false },
      },
    });
    if (positionals.length === 0) return "Name at least one target.";
    const { seed, only, results, retry, list } = values;
    const tests = values.tests.split(",");
    const sample = Number(values.sample);
    if (!Number.isInteger(sample) || sample < 1) return "--sample must be an integer above 0.";
    const seconds = Number(values.seconds);
    if (!(seconds > 0)) return "--seconds must be a number above 0.";
    return { targets: positionals, sample, seed, only, results, retry, seconds, tests, list };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
