// `bun run mutate PACKAGE…`: changes one small thing of the product's code at a time and runs the tests
// that reach it. A change that no test detects is a promise without a test.
import { installDependencies } from "../install/install-dependencies.ts";
import { readMutateOptions, usage } from "./mutate-options.ts";

const options = readMutateOptions(process.argv.slice(2));
if (typeof options === "string") {
  console.error(`${options}\n\n${usage}`);
  process.exit(2);
}
await installDependencies();
const { runMutation } = await import("./run-mutation.ts");
process.exit(await runMutation(options));
