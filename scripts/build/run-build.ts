// Builds the console and bundles the server's programs. An import that does not resolve fails here rather
// than at the first request that needs it.
import { join } from "node:path";
import { buildConsole } from "./build-console.ts";
import { sbomPath, writeSbom } from "./write-sbom.ts";

const root = join(import.meta.dirname, "../..");
const programs = ["main.ts", "worker.ts", "admin.ts"].map((name) => `apps/server/src/${name}`);

/** Returns the exit code. */
export async function build(): Promise<number> {
  let passed = 0;
  let failed = 0;
  for (const program of programs) {
    const path = join(root, program);
    const result = await Bun.build({ entrypoints: [path], target: "bun", throw: false });
    for (const message of result.logs) console.error(String(message));
    console.log(`${program} ${result.success ? "is complete" : "does not compile"}`);
    if (result.success) passed += 1;
    else failed += 1;
  }
  const code = await buildConsole();
  console.log(code === 0 ? "apps/console is built" : "apps/console does not build");
  if (code === 0) passed += 1;
  else failed += 1;
  console.log(`${sbomPath} lists ${writeSbom(root)} components`);
  passed += 1;
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
