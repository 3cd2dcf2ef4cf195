// Builds the console as it ships; the browser tests use only this build.
import { dirname } from "node:path";

export const consoleFolder = dirname(import.meta.dirname);

/** Throws with Vite's output if it does not build. */
export async function buildConsole(): Promise<void> {
  const child = Bun.spawn([process.execPath, "--bun", "run", "vite", "build"], {
    cwd: consoleFolder,
    // Tests run with `test`, which makes libraries include what only development needs.
    env: { NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [code, out, errors] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if (code !== 0) throw new Error(`The console does not build.\n${out}${errors}`);
}
