// Runs a program of `apps/console/e2e` beside PostgreSQL and a console that was just built: pictures, Lighthouse.
import { join } from "node:path";
import { buildConsole } from "../build/build-console.ts";
import { root } from "../tidy/read-sources.ts";
import { runBesidePostgres } from "./run-beside-postgres.ts";

/** About the pages that are named, or all of them; returns the exit code. */
export function visitPages(program: string, names: readonly string[]): Promise<number> {
  const command = [process.execPath, program, ...names];
  return runBesidePostgres(async (run) => {
    if ((await buildConsole()) !== 0) return 1;
    const running = run({ command, cwd: join(root, "apps/console/e2e") });
    running.child.stdout?.pipe(process.stdout);
    running.child.stderr?.pipe(process.stderr);
    return (await running.exited) === 0 ? 0 : 1;
  });
}
