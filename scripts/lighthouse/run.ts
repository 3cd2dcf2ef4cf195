// `bun run lighthouse COMMAND [page …]`: Lighthouse's scores of the console's pages, as they ship. Lighthouse is not one of our
// packages: COMMAND is where it is, for example after `npm install --prefix FOLDER lighthouse@12.8.2`.
import { installDependencies } from "../install/install-dependencies.ts";

await installDependencies();
const { visitPages } = await import("../test/visit-pages.ts");
process.exit(await visitPages("measure-lighthouse.ts", process.argv.slice(2)));
