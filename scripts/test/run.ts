// `bun run test [options] [files]`: every test of the repository on its own PostgreSQL, on a fresh clone
// too. Its last line counts all suites together.
import { installDependencies } from "../install/install-dependencies.ts";
import { readTestOptions } from "./test-options.ts";

async function runWith(words: readonly string[]): Promise<number> {
  try {
    const options = readTestOptions(words);
    await installDependencies();
    const { runTests } = await import("./run-tests.ts");
    return await runTests(options);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 2;
  }
}

process.exit(await runWith(process.argv.slice(2)));
