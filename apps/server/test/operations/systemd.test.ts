// The systemd unit in deploy is one that systemd accepts, and the YAML blocks there are YAML.
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asObject, at } from "../harness/index.ts";
import { adapt, findProgram, readBlock, root } from "./read-documented.ts";

const analyze = findProgram("systemd-analyze");
if (analyze === undefined) console.log("skip: systemd-analyze is not installed");

const unit = join(root, "deploy/systemd/turnpike.service");

/** Of the unit with a program that exists on this machine. */
function runAnalyze(...args: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "turnpike-unit-"));
  try {
    const file = join(folder, "turnpike.service");
    const program = { "/usr/local/bin/bun": process.execPath };
    writeFileSync(file, adapt(readFileSync(unit, "utf8"), program));
    return spawnSync(analyze ?? "", [...args, file], { encoding: "utf8" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test.skipIf(analyze === undefined)("systemd-analyze finds nothing wrong with the unit", () => {
  const { status, stderr } = runAnalyze("verify");
  const ours = stderr.split("\n").filter((line) => line.includes("turnpike.service"));
  expect(ours).toEqual([]);
  expect(status).toBe(0);
});

test.skipIf(analyze === undefined)(
  "systemd-analyze rates the unit's exposure below 2 of 10",
  () => {
    const { stdout, stderr } = runAnalyze("security", "--offline=true", "--no-pager");
    const [, level] = /exposure level for turnpike\.service: ([\d.]+)/.exec(stdout + stderr) ?? [];
    expect(Number(level)).toBeLessThan(2);
  },
);

test("the blocks for Prometheus and for a catalog in a container are YAML with these fields", () => {
  const prometheus = asObject(Bun.YAML.parse(readBlock("Prometheus", "yaml")));
  expect(at(prometheus, "scrape_configs.0.authorization.credentials_file")).toBeString();
  const overrides = asObject(Bun.YAML.parse(readBlock("Containers", "yaml")));
  const catalog = String(at(overrides, "services.server.environment.CATALOG_FILE"));
  const mount = String(at(overrides, "services.server.volumes.0")).split(":")[1];
  expect(catalog).toStartWith(`${mount}/`);
});
