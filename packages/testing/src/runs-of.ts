// How much of a random search one run of the tests does: a fixed part in every run, so that a change is tested in
// minutes, and far more with TEST_BUDGET=long, which `bun run test --long` and `bun run soak --models` set.

const isLong = process.env.TEST_BUDGET === "long";

/** Of inputs, histories or processes; a file says at its head what the short search covers. */
export function runsOf({ short, long }: { readonly short: number; readonly long: number }): number {
  return isLong ? long : short;
}

/** For tests that search: ten minutes, or three hours. */
export const searchTimeoutMs = runsOf({ short: 600_000, long: 10_800_000 });
