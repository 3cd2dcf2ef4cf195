// schemathesis sends what `/openapi.json` allows, and what it forbids, to every operation of the management API:
// answers have the described status and shape, nothing forbidden is accepted, and nothing ends in a 5xx. An ordinary run
// sends what the description says at every boundary, and two random examples to each operation.
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { preparePackages, runsOf, searchTimeoutMs } from "@turnpike/testing";
import { startTestServer, useServer } from "../harness/index.ts";
import { openManaged } from "./open-management.fixture.ts";

const version = "4.32.5";
const maxExamples = String(runsOf({ short: 2, long: 100 }));
const { server } = await useServer(startTestServer({ environment: { THROTTLE_SCALE: "100000" } }));
setDefaultTimeout(searchTimeoutMs);

/**
 * What a schema cannot say is refused with 400 as well: an expiry in the past, characters that cannot be printed, a
 * model that does not exist.
 */
const notChecked = "positive_data_acceptance";

test("every operation of the management API keeps its description", async () => {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-fuzz-"));
  try {
    const python = await preparePackages(`schemathesis-${version}`, [`schemathesis==${version}`]);
    if (python.kind === "absent") return console.log(`skip: schemathesis (${python.reason})`);
    const { managementKey } = await openManaged(server);
    const fuzzing = Bun.spawn(
      [
        python.path,
        "-m",
        "schemathesis.cli",
        "run",
        `${server.url}/openapi.json`,
        "--include-path-regex",
        "^/v1/(management|keys)",
        "--header",
        `Authorization: Bearer ${managementKey}`,
        "--phases",
        "coverage,fuzzing",
        "--max-examples",
        maxExamples,
        "--exclude-checks",
        notChecked,
        "--suppress-health-check",
        "all",
        "--generation-deterministic",
        "--continue-on-failure",
        "--no-color",
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
});
