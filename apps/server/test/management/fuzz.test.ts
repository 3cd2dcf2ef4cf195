// schemathesis sends what `/openapi.json` allows, and what it forbids, to every operation of the management API:
// answers have the described status and shape, nothing forbidden is accepted, and nothing ends in a 5xx.
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestServer, useServer } from "../harness/index.ts";
import { openManaged } from "./open-management.fixture.ts";

const version = "4.32.5";
const { server } = await useServer(startTestServer({ environment: { THROTTLE_SCALE: "100000" } }));

/** The program in an environment of its own below `folder`; undefined where it cannot be installed. */
async function installFuzzer(folder: string): Promise<string | undefined> {
  const python = Bun.which("python3");
  if (python === null) return undefined;
  const run = async (...command: string[]) =>
    (await Bun.spawn(command, { stdout: "ignore", stderr: "ignore" }).exited) === 0;
  const bin = join(folder, "venv", "bin");
  const isReady =
    (await run(python, "-m", "venv", join(folder, "venv"))) &&
    (await run(join(bin, "pip"), "install", "--quiet", `schemathesis==${version}`));
  return isReady ? join(bin, "schemathesis") : undefined;
}

/**
 * What a schema cannot say is refused with 400 as well: an expiry in the past, characters that cannot be printed, a
 * model that does not exist.
 */
const notChecked = "positive_data_acceptance";

test("every operation of the management API keeps its description", async () => {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-fuzz-"));
  try {
    const fuzzer = await installFuzzer(folder);
    if (fuzzer === undefined) {
      return console.warn("SKIPPED: schemathesis needs Python and its package index.");
    }
    const { managementKey } = await openManaged(server);
    const fuzzing = Bun.spawn(
      [
        ...[fuzzer, "run", `${server.url}/openapi.json`],
        ...["--include-path-regex", "^/v1/(management|keys)"],
        ...["--header", `Authorization: Bearer ${managementKey}`],
        ...["--phases", "coverage,fuzzing", "--max-examples", "5"],
        ...["--exclude-checks", notChecked, "--suppress-health-check", "all"],
        ...["--generation-deterministic", "--continue-on-failure", "--no-color"],
      ],
      { cwd: folder, stdout: "pipe", stderr: "pipe" },
    );
    const output = await new Response(fuzzing.stdout).text();
    const code = await fuzzing.exited;
    if (code !== 0) console.error(output);
    expect(code).toBe(0);
    expect(output).toMatch(/Tested: \d\d/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 600_000);
