// Builds the console as it ships into `apps/console/dist`. The browser tests, the pictures and Lighthouse use only this
// build.
import { join } from "node:path";

const folder = join(import.meta.dirname, "../../apps/console");

/** Returns the exit code of Vite, whose output is printed. */
export function buildConsole(): Promise<number> {
  const vite = join(folder, "node_modules/vite/bin/vite.js");
  const child = Bun.spawn([process.execPath, "--bun", vite, "build"], {
    cwd: folder,
    // Tests run with `test`, which makes libraries include what only development needs.
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "inherit", "inherit"],
  });
  return child.exited;
}
