// Builds the console as it ships into `apps/console/dist`. The browser tests, the pictures and Lighthouse use only this
// build.
import { join } from "node:path";
import { startSupervised } from "../process/start-supervised.ts";

const folder = join(import.meta.dirname, "../../apps/console");

/** Prints the output of Vite; returns the exit code. */
export async function buildConsole(): Promise<number> {
  const vite = join(folder, "node_modules/vite/bin/vite.js");
  const building = startSupervised([process.execPath, "--bun", vite, "build"], "inherit", {
    cwd: folder,
    // Tests run with `test`, which makes libraries include what only development needs.
    env: { ...process.env, NODE_ENV: "production" },
  });
  return (await building.exited) === 0 ? 0 : 1;
}
