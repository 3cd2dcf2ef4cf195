// The files of deploy name variables that the server reads, and Caddy's is one that Caddy accepts.
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram, root } from "./read-documented.ts";

const caddy = findProgram("caddy");
if (caddy === undefined) console.log("skip: caddy is not installed");

test.skipIf(caddy === undefined)("caddy validate finds nothing wrong with the Caddyfile", () => {
  const home = mkdtempSync(join(tmpdir(), "turnpike-caddy-"));
  try {
    const file = join(root, "deploy/caddy/Caddyfile");
    const { exitCode, stderr } = Bun.spawnSync(
      [caddy ?? "", "validate", "--adapter", "caddyfile", "--config", file],
      { env: { PATH: process.env.PATH, HOME: home, XDG_DATA_HOME: home } },
    );
    expect([exitCode, stderr.toString()]).toEqual([0, expect.stringContaining("")]);
    expect(stderr.toString()).not.toMatch(/"level":"(warn|error)"/);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

const listed = readFileSync(join(root, ".env.example"), "utf8").matchAll(/^([A-Z][A-Z0-9_]+)=/gm);
const settings = new Set([...listed].map(([, name]) => name));
/** Of the cluster of compose.yaml and its SQL, and what an operator types. */
const others = /^(?:POSTGRES|TURNPIKE_(?:OWNER|APP))_PASSWORD$|^OWNER_URL$|^AF_|^NODE_ENV$/;

test("every setting that a file of deploy names is one that the server reads", () => {
  const files = [...new Bun.Glob("deploy/**/*").scanSync({ cwd: root })].filter((path) =>
    /^deploy\/(helm|systemd|nginx|caddy|Dockerfile|compose)/.test(path),
  );
  expect(files.length).toBeGreaterThan(10);
  const unknown = files.flatMap((path) => {
    const names = readFileSync(join(root, path), "utf8").matchAll(
      /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g,
    );
    return [...names]
      .map(([name]) => name)
      .filter((name) => !settings.has(name) && !others.test(name))
      .map((name) => `${path}: ${name}`);
  });
  expect(unknown).toEqual([]);
});
