// `bun run check`: format, lint, types, floors and dead code, all at once. Silent about what is well,
// so that whatever is printed is something to mend.
import { installDependencies } from "../install/install-dependencies.ts";

await installDependencies();
const { runChecks } = await import("./run-checks.ts");
process.exit(await runChecks());
