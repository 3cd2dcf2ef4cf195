// New versions of dependencies are not installed until they are some days old: checked with this
// repository's settings against a registry on loopback that has an old and a new version.
import { expect, test } from "bun:test";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../tidy/read-sources.ts";

const dayMs = 86_400_000;

function describePackage(origin: string) {
  const version = (number: string) => ({
    name: "leftover",
    version: number,
    dist: { tarball: `${origin}/leftover-${number}.tgz`, integrity: `sha512-${"A".repeat(86)}==` },
  });
  const at = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString();
  return {
    name: "leftover",
    "dist-tags": { latest: "1.1.0" },
    versions: { "1.0.0": version("1.0.0"), "1.1.0": version("1.1.0") },
    time: { created: at(400), modified: at(1), "1.0.0": at(400), "1.1.0": at(1) },
  };
}

test("a version released yesterday is not installed, the previous one is", async () => {
  const registry = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => Response.json(describePackage(new URL(url).origin)),
  });
  const folder = mkdtempSync(join(tmpdir(), "turnpike-age-"));
  try {
    cpSync(join(root, "bunfig.toml"), join(folder, "bunfig.toml"));
    const manifest = { name: "try", dependencies: { leftover: "^1.0.0" } };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    const child = Bun.spawn([process.execPath, "install", "--lockfile-only"], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        BUN_INSTALL_CACHE_DIR: join(folder, "cache"),
        BUN_CONFIG_REGISTRY: registry.url.href,
        NO_PROXY: "127.0.0.1",
      },
      stdout: "ignore",
      stderr: "pipe",
    });
    const said = await new Response(child.stderr).text();
    expect([await child.exited, said]).toEqual([0, expect.anything()]);
    const lock = readFileSync(join(folder, "bun.lock"), "utf8");
    expect(lock).toContain('"leftover@1.0.0"');
    expect(lock).not.toContain("leftover@1.1.0");
  } finally {
    await registry.stop(true);
    rmSync(folder, { recursive: true, force: true });
  }
});
