// Reads the arguments of `bun run test`; an option that it does not know is a mistake, not a file.

export type TestOptions = {
  /** As `bun test` takes them; none means everything. */
  readonly files: readonly string[];
  /** Only files that depend on what differs from `base`; without one, from where this branch left `main`. */
  readonly changed: { readonly base: string | undefined } | undefined;
  readonly profile: boolean;
  readonly long: boolean;
};

export const testUsage = `bun run test [--profile] [--long] [FILE…]
bun run test --changed [COMMIT]

  FILE…      files or folders; without them every test is run
  --changed  only the test files that depend on what differs from COMMIT; without COMMIT, from
             where this branch left origin/main
  --profile  also print what the slowest files spend their time on, and note their times
  --long     random tests with the budget of a release: hours`;

const optionNames = ["--profile", "--long", "--changed"];

/** Throws an Error that names the mistake. */
export function readTestOptions(words: readonly string[]): TestOptions {
  const options = words.filter((word) => word.startsWith("-"));
  const others = words.filter((word) => !word.startsWith("-"));
  const unknown = options.find((option) => !optionNames.includes(option));
  if (unknown !== undefined) throw new Error(`There is no option ${unknown}.\n\n${testUsage}`);
  const isChanged = options.includes("--changed");
  if (isChanged && others.length > 1) {
    throw new Error(`--changed takes one commit and chooses the files itself.\n\n${testUsage}`);
  }
  return {
    files: isChanged ? [] : others,
    changed: isChanged ? { base: others[0] } : undefined,
    profile: options.includes("--profile"),
    long: options.includes("--long"),
  };
}
