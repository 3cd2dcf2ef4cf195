// `bun run check`: format, lint, types, dead code and the tidy tests, in parallel. It prints only failures,
// and how long each check took.
import { installDependencies } from "../install/install-dependencies.ts";

await installDependencies();
const { runChecks } = await import("./run-checks.ts");
process.exit(await runChecks());
