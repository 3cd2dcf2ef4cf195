// What the command line may change about a soak. Built-in modules only: it is read before anything is
// installed.
import { parseArgs } from "node:util";

export type SoakOptions = {
  /** It ends after so many minutes or calls, whichever comes first. */
  minutes: number;
  calls: number;
  /** Chooses calls and faults; their timing depends on the machine. */
  seed: number;
  /** Calls under way at a time. */
  callers: number;
  /** On a Citus cluster, whose workers fail and move shards, too. */
  citus: boolean;
  /** Instead: the tests with random inputs, each with its long search. */
  models: boolean;
};

export const usage = `usage: bun run soak [--minutes 10] [--calls N] [--seed 1] [--callers 32] [--citus]
       bun run soak --models
Two servers under load and random faults. Every minute it waits until all is settled and proves the books.
With --models: the random models, fuzzers and kill sweeps of the tests, for hours instead of seconds.`;

/** The options, or a message that says what is wrong. */
export function readSoakOptions(words: readonly string[]): SoakOptions | string {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        minutes: { type: "string" },
        calls: { type: "string" },
        seed: { type: "string", default: "1" },
        callers: { type: "string", default: "32" },
        citus: { type: "boolean", default: false },
        models: { type: "boolean", default: false },
      },
    });
    const { calls, callers, seed, citus, models } = values;
    const minutes = values.minutes ?? (calls === undefined ? "10" : "Infinity");
    const numbers = {
      minutes: Number(minutes),
      calls: Number(calls ?? "Infinity"),
      seed: Number(seed),
      callers: Number(callers),
    };
    const wrong = Object.entries(numbers).find(([, value]) => !(value > 0));
    return wrong === undefined
      ? { ...numbers, citus, models }
      : `--${wrong[0]} is not a number above 0.`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
