// `bun run check`: format, lint, types, dead code and the tidy tests, all at once. It prints failures only,
// and how long each check took.
import { installDependencies } from "../install/install-dependencies.ts";

await installDependencies();
const { runChecks } = await import("./run-checks.ts");
process.exit(await runChecks());
