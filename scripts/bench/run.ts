// `bun run bench`: Turnpike beside a bare Bun proxy and other gateways on this machine, in one run, with
// durable money.
// It ends by proving that every measured call was billed; wrong books fail the run.
import { installDependencies } from "../install/install-dependencies.ts";
import { readBenchOptions, usage } from "./bench-options.ts";

const options = readBenchOptions(process.argv.slice(2));
if (typeof options === "string") {
  console.error(`${options}\n\n${usage}`);
  process.exit(2);
}
await installDependencies();
const { runBench } = await import("./run-bench.ts");
process.exit(await runBench(options));
