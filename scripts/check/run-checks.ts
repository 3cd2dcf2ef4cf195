// The checks of `bun run check` and how their results are reported. They change no file of the
// repository; what speeds up the next run is kept in node_modules/.cache.
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const cache = join(root, "node_modules/.cache/turnpike");

type Check = { name: string; command: readonly string[] };

// biome reads the types of dependencies for noFloatingPromises; biome.json excludes large ones of
// which we call nothing that returns a promise (with a trailing `/**`, or the scanner ignores it).
const checks: readonly Check[] = [
  { name: "format and lint", command: [...tool("biome"), "check", "--error-on-warnings", "."] },
  { name: "types", command: checkTypes(".", "server") },
  { name: "console types", command: checkTypes("apps/console", "console") },
  { name: "dead code", command: [...tool("knip"), "--no-config-hints", ...knipCache()] },
  { name: "tidy", command: [process.execPath, "test", "--timeout=180000", "scripts/tidy"] },
];

/** Run by Bun itself: Node may not be installed. */
function tool(name: string): readonly string[] {
  return [process.execPath, "--bun", join(root, "node_modules/.bin", name)];
}

/** One checker: more of them would resolve the same types several times, and all checks run in parallel. */
function checkTypes(project: string, name: string): readonly string[] {
  const buildInfo = join(cache, `${name}.tsbuildinfo`);
  const incremental = ["--incremental", "--tsBuildInfoFile", buildInfo];
  return [...tool("tsc"), "-p", project, "--checkers", "1", ...incremental];
}

function knipCache(): readonly string[] {
  return ["--cache", "--cache-location", join(cache, "knip")];
}

/** Returns the exit code. */
export async function runChecks(): Promise<number> {
  const started = Date.now();
  const results = await Promise.all(checks.map(run));
  const failed = results.filter(({ ok }) => !ok);
  for (const { name, output } of failed) console.log(`--- ${name}\n${output.trim()}\n`);
  const names = results.map(
    ({ name, ok, seconds }) => `${ok ? name : `${name.toUpperCase()} FAILED`} ${seconds} s`,
  );
  console.log(`${names.join(", ")} (${secondsSince(started)} s)`);
  console.log(`${results.length - failed.length} passed, ${failed.length} failed`);
  return failed.length === 0 ? 0 : 1;
}

async function run({ name, command }: Check) {
  const started = Date.now();
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
  return { name, ok: code === 0, output: out + errors, seconds: secondsSince(started) };
}

function secondsSince(started: number): string {
  return ((Date.now() - started) / 1000).toFixed(1);
}
