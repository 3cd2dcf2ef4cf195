// `bun run build`: builds the console if there is one, and proves that the server's program is
// complete by bundling it, without using the bundle: Bun runs the sources.
import { installDependencies } from "../install/install-dependencies.ts";

await installDependencies();
const { build } = await import("./run-build.ts");
process.exit(await build());
