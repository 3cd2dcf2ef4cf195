// The checks of `bun run check` and how their results are told. None of them writes a file.
import { existsSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const bun = process.execPath;

type Check = { name: string; command: readonly string[] };

const checks: readonly Check[] = [
  { name: "format and lint", command: [...tool("biome"), "check", "--error-on-warnings", "."] },
  { name: "types", command: [...tool("tsc"), "-p", "."] },
  { name: "floors", command: [bun, "test", "--timeout=180000", "scripts/tidy"] },
  { name: "dead code", command: [...tool("knip"), "--no-config-hints"] },
];
const consoleTypes: Check = {
  name: "console types",
  command: [...tool("tsc"), "-p", "apps/console"],
};

/** Run by Bun itself: there may be no Node here. */
function tool(name: string): readonly string[] {
  return [bun, "--bun", join(root, "node_modules/.bin", name)];
}

/** Returns the exit code. */
export async function runChecks(): Promise<number> {
  const started = Date.now();
  const hasConsole = existsSync(join(root, "apps/console/tsconfig.json"));
  const results = await Promise.all((hasConsole ? [...checks, consoleTypes] : checks).map(run));
  const failed = results.filter(({ ok }) => !ok);
  for (const { name, output } of failed) console.log(`--- ${name}\n${output.trim()}\n`);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  const names = results.map(({ name, ok }) => (ok ? name : `${name.toUpperCase()} FAILED`));
  console.log(`${names.join(", ")} (${seconds} s)`);
  console.log(`${results.length - failed.length} passed, ${failed.length} failed`);
  return failed.length === 0 ? 0 : 1;
}

async function run({ name, command }: Check) {
  const child = Bun.spawn([...command], {
    cwd: root,
    stdout: "pipe",
    stderr: "pipe",
    env: { ...process.env, NO_COLOR: "1" },
  });
  const [code, out, errors] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { name, ok: code === 0, output: out + errors };
}
