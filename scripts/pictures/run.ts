// `bun run pictures [page …]`: takes pictures of the console's pages, as PNGs, on a fresh clone too.
import { installDependencies } from "../install/install-dependencies.ts";

await installDependencies();
const { visitPages } = await import("../test/visit-pages.ts");
process.exit(await visitPages("take-screenshots.ts", process.argv.slice(2)));
