import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Agent, codex } from "./agents.ts";
import { prepareProgram } from "./prepare-program.ts";

const agent: Agent = {
  ...codex,
  command: "turnpike-test-agent",
  variable: "TURNPIKE_TEST_AGENT",
  version: "1.2.3",
  binary: () => ({ package: "turnpike-test-agent", version: "1.2.3", path: "bin/*/agent" }),
};

let folder = "";
const environment = { ...Bun.env };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "turnpike-agent-"));
  Bun.env.PATH = `${folder}:${environment.PATH}`;
  Bun.env.XDG_CACHE_HOME = join(folder, "cache");
  // Nothing can be installed from there.
  Bun.env.BUN_CONFIG_REGISTRY = "http://127.0.0.1:1/";
});
afterEach(() => {
  for (const name of ["PATH", "XDG_CACHE_HOME", "BUN_CONFIG_REGISTRY", agent.variable]) {
    const before = environment[name];
    if (before === undefined) delete Bun.env[name];
    else Bun.env[name] = before;
  }
  rmSync(folder, { recursive: true, force: true });
});

/** A program that says it is this version. */
function writeProgram(path: string, version: string): string {
  writeFileSync(path, `#!/bin/sh\necho "agent ${version}"\n`);
  chmodSync(path, 0o755);
  return path;
}

test("the program that the variable names is used, whatever else there is", async () => {
  writeProgram(join(folder, agent.command), agent.version);
  const path = writeProgram(join(folder, "another"), "9.9.9");
  Bun.env[agent.variable] = path;
  expect(await prepareProgram(agent)).toEqual({ kind: "ready", path });
});

test("a program of the pinned version on the PATH is used", async () => {
  const path = writeProgram(join(folder, agent.command), agent.version);
  expect(await prepareProgram(agent)).toEqual({ kind: "ready", path });
});

test("an installed program of the pinned version comes before another version on the PATH", async () => {
  writeProgram(join(folder, agent.command), "1.2.4");
  const installed = join(folder, "cache/turnpike/clients", `${agent.command}-${agent.version}`);
  const bin = join(installed, "node_modules/turnpike-test-agent/bin/a-platform");
  mkdirSync(bin, { recursive: true });
  const path = writeProgram(join(bin, "agent"), agent.version);
  writeFileSync(join(installed, "complete"), "");
  expect(await prepareProgram(agent)).toEqual({ kind: "ready", path });
});

test("without a package registry there is no program, but a reason and a remedy", async () => {
  writeProgram(join(folder, agent.command), "1.2.4");
  expect(await prepareProgram(agent)).toEqual({
    kind: "absent",
    path: "",
    reason: expect.stringMatching(
      /^Codex 1\.2\.3 \(add .+ failed: .+ConnectionRefused.+TURNPIKE_TEST_AGENT\)$/s,
    ),
  });
});
