// A process whose system allows it fewer files than its configured connections need does not sell anything:
// production refuses to start, everything else warns.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  countDescriptors,
  findDescriptorMistakes,
  readDescriptorLimit,
} from "../../src/check-descriptors.ts";
import { readConfig } from "../../src/config.ts";
import { openTestSite, type TestSite } from "../harness/index.ts";

const root = join(import.meta.dir, "../../../..");
const isLinux = process.platform === "linux";
if (!isLinux) console.log("skip: only Linux tells a process its limits");

const environment = {
  DATABASE_URL: "postgres://u:p@localhost:5432/t",
  BUN_CONFIG_MAX_HTTP_REQUESTS: "8192",
};
const config = readConfig(environment);

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site.close());

/** Runs `program` with at most 4,096 files until `isEnough` of its output, and resolves with all of it. */
async function runLimited(
  program: string,
  more: Readonly<Record<string, string>>,
  isEnough: (said: string) => boolean = () => false,
) {
  const script = 'ulimit -n 4096 && exec "$@"';
  const child = Bun.spawn(["sh", "-c", script, "sh", process.execPath, join(root, program)], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...site.environment, ...more },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const errors = new Response(child.stderr).text();
  let said = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    said += decoder.decode(chunk, { stream: true });
    if (isEnough(said)) child.kill("SIGTERM");
  }
  return { exitCode: await child.exited, said, errors: await errors };
}

test.skipIf(!isLinux)(
  "FX9: production refuses to start, and says how to raise the limit",
  async () => {
    const { exitCode, errors } = await runLimited("scripts/start/run.ts", {
      PUBLIC_URL: "https://turnpike.example",
    });
    expect(exitCode).toBe(78);
    expect(errors).toContain(
      `\nulimit -n: the process may open 4096 files and needs ${countDescriptors(config)}, two for each of BUN_CONFIG_MAX_HTTP_REQUESTS; set LimitNOFILE=65536`,
    );
  },
);

test.skipIf(!isLinux)("development warns and serves", async () => {
  const { exitCode, said } = await runLimited(
    "apps/server/src/main.ts",
    { PORT: "0", LOG_LEVEL: "info", DRAIN_NOTICE_MS: "0" },
    (text) => text.includes("ulimit -n: the process may open 4096 files"),
  );
  expect(said).toContain('"msg":"listening"');
  expect(exitCode).toBe(0);
});

test("the number follows from the calls and the connections to PostgreSQL that are configured", () => {
  const more = { ...environment, BUN_CONFIG_MAX_HTTP_REQUESTS: "9192", DATABASE_POOL_JOBS: "12" };
  expect(countDescriptors(readConfig(more))).toBe(countDescriptors(config) + 2_000 + 10);
  expect(findDescriptorMistakes(config, countDescriptors(config))).toEqual([]);
  expect(findDescriptorMistakes(config, countDescriptors(config) - 1)).toHaveLength(1);
  const documented = readFileSync(join(root, "docs/operations.md"), "utf8");
  expect(documented).toContain(`${countDescriptors(config).toLocaleString("en-US")} by default`);
  const service = readFileSync(join(root, "deploy/systemd/turnpike.service"), "utf8");
  const unit = Number(/^LimitNOFILE=(\d+)$/m.exec(service)?.[1]);
  const compose = readFileSync(join(root, "deploy/compose.yaml"), "utf8");
  const container = Number(/nofile: (\d+)$/m.exec(compose)?.[1]);
  for (const limit of [unit, container]) expect(findDescriptorMistakes(config, limit)).toEqual([]);
});

test("the soft limit counts, one that is unlimited suffices, and a system without the file is not asked", () => {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-limits-"));
  const file = join(folder, "limits");
  const read = (soft: string) => {
    writeFileSync(
      file,
      `Max processes             1                    2                    processes
Max open files            ${soft.padEnd(20)} 1048576              files
Max locked memory         8388608              8388608              bytes
`,
    );
    return readDescriptorLimit(file);
  };
  try {
    expect(read("1024")).toBe(1024);
    expect(read("unlimited")).toBe(Number.POSITIVE_INFINITY);
    expect(readDescriptorLimit(join(folder, "none"))).toBeUndefined();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
