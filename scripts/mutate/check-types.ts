// Whether the compiler accepts a changed source. A mutant that it refuses can never be landed, so no test
// has to detect it.
import { join, resolve } from "node:path";

const compiler = resolve(import.meta.dirname, "../../node_modules/.bin/tsc");
/** Kept beside the project, so that the check of the next mutant takes seconds. */
const buildInfo = ".mutate.tsbuildinfo";

/** A name that nothing uses any more is no error: a removed statement often leaves one. */
export async function checkTypes(root: string, project: string): Promise<boolean> {
  const incremental = ["--incremental", "--tsBuildInfoFile", join(root, project, buildInfo)];
  const unused = ["--noUnusedLocals", "false", "--noUnusedParameters", "false"];
  const options = ["--noEmit", "--checkers", "1", ...incremental, ...unused];
  const command = [process.execPath, "--bun", compiler, "-p", join(root, project), ...options];
  const child = Bun.spawn(["nice", "-n", "15", ...command], { stdout: "ignore", stderr: "ignore" });
  return (await child.exited) === 0;
}

/** The folder of the `tsconfig.json` that includes a source. */
export function projectOf(path: string): string {
  return path.startsWith("apps/console/") ? "apps/console" : ".";
}
