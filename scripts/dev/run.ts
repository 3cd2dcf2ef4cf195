// `bun dev`: everything Turnpike needs, on a machine that has only Node or only Bun. This file is
// the bootstrap; run-dev.ts does the work and is imported only once its packages are installed.
import { installDependencies } from "../install/install-dependencies.ts";

await installDependencies();
const { runDev } = await import("./run-dev.ts");
process.exit(await runDev());
