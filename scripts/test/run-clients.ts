// `bun run test:clients [names]`: every test of the SDKs and programs that others wrote, or of those that are named, on a
// PostgreSQL of its own. Its last line counts all of them.
import { installDependencies } from "../install/install-dependencies.ts";
import { chooseClients } from "./choose-clients.ts";

await installDependencies();
const { runTests } = await import("./run-tests.ts");
try {
  const files = chooseClients(process.argv.slice(2));
  process.exit(await runTests({ files, changed: undefined, profile: false, long: false }));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}
