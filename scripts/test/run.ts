// `bun run test [files]`: every test of the repository on its own PostgreSQL, on a fresh clone
// too. Its last line counts all suites together.
import { installDependencies } from "../install/install-dependencies.ts";

await installDependencies();
const { runTests } = await import("./run-tests.ts");
process.exit(await runTests(process.argv.slice(2)));
