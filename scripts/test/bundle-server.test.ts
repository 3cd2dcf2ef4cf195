// The bundled server does what its sources do. That it serves, migrates and counts is shown by every test that starts a server.
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../tidy/read-sources.ts";
import { bundleServer } from "./bundle-server.ts";

const folder = mkdtempSync(join(tmpdir(), "turnpike-bundle-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sources = join(root, "apps/server/src/main.ts");

test("a server that lacks its settings says the same from its sources and bundled", async () => {
  const bundled = await bundleServer(folder);
  const said = await say(sources);
  expect(said).toContain("DATABASE_URL");
  expect(await say(bundled)).toBe(said);
});

async function say(program: string): Promise<string> {
  const child = Bun.spawn([process.execPath, program], { env: {}, stdout: "pipe", stderr: "pipe" });
  const texts = [new Response(child.stdout).text(), new Response(child.stderr).text()];
  return [await child.exited, ...(await Promise.all(texts))].join("\n");
}
