// `bun run soak`: calls and money under random faults, on two servers with a real PostgreSQL. It exits with 1
// if anything that was promised about money, processes or logs did not hold.
import { installDependencies } from "../install/install-dependencies.ts";
import { readSoakOptions, usage } from "./soak-options.ts";

const options = readSoakOptions(process.argv.slice(2));
if (typeof options === "string") {
  console.error(`${options}\n\n${usage}`);
  process.exit(2);
}
await installDependencies();
if (options.models) {
  const { runModels } = await import("./run-models.ts");
  process.exit(await runModels());
}
const { runSoak } = await import("./run-soak.ts");
process.exit(await runSoak(options));
