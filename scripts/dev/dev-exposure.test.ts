// What Vite serves in development: the console's sources, never the data folder with the database's
// passwords, the published account and a working key.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@turnpike/testing";
import type { SupervisedProcess } from "../process/start-supervised.ts";
import { root } from "../tidy/read-sources.ts";
import { startConsole, untilReady } from "./start-console.ts";

const slow = 180_000;
const dataDir = join(root, `.data-exposure-${process.pid}`);
/** A data folder inside the folder that Vite serves. */
const innerDir = join(root, "apps/console/.data-exposure");
const secret = "sk-tp-this-must-not-be-served";
let vite: SupervisedProcess;
let url = "";

beforeAll(async () => {
  mkdirSync(dataDir);
  for (const name of ["dev.json", "password.txt"]) writeFileSync(join(dataDir, name), secret);
  mkdirSync(innerDir, { recursive: true });
  writeFileSync(join(innerDir, "password.txt"), secret);
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  vite = startConsole(root, port);
  await untilReady(url);
}, slow);

afterAll(async () => {
  await vite?.stop();
  rmSync(dataDir, { recursive: true, force: true });
  rmSync(innerDir, { recursive: true, force: true });
}, slow);

const folder = dataDir.slice(root.length + 1);

test.each([
  `/@fs${dataDir}/dev.json`,
  `/@fs${dataDir}/password.txt`,
  `/@fs${dataDir}/password.txt?raw`,
  `/@fs${dataDir}/password.txt?import&raw`,
  `/@fs${dataDir}/password.txt?url`,
  `/@fs${dataDir}/password.txt?raw??`,
  `/@fs/${dataDir}/password.txt?inline`,
  `/@fs${root}/apps/console/../../${folder}/password.txt?raw`,
  `/@fs${root}/apps/console/%2e%2e/%2e%2e/${folder}/password.txt`,
  `/../../${folder}/password.txt?raw`,
  `/..%2f..%2f${folder}/password.txt`,
  `/.data-exposure/password.txt`,
  `/.data-exposure/password.txt?raw`,
  `/@fs${innerDir}/password.txt?import&raw`,
  `/@fs${root}/.env`,
  `/@fs${root}/.git/config`,
  `/@fs${root}/apps/server/src/config.ts?raw`,
  `/@fs/etc/passwd?raw`,
])("%s is not served", async (path) => {
  const answer = await fetch(`${url}${path}`, { headers: { accept: "*/*" } });
  const text = await answer.text();
  expect(text).not.toContain(secret);
  expect(text).not.toMatch(/root:x:|\[core\]|environmentSchema/);
});

test("the console's own sources are served, and libraries too", async () => {
  const main = await fetch(`${url}/src/main.tsx`);
  expect(main.status).toBe(200);
  const [, library = ""] = /from "(\/[^"]*solid-js[^"]*)"/.exec(await main.text()) ?? [];
  expect((await fetch(`${url}${library}`)).status).toBe(200);
});

test("no other origin may read them", async () => {
  const headers = { origin: "http://evil.example" };
  const answer = await fetch(`${url}/src/main.tsx`, { headers });
  expect(answer.headers.get("access-control-allow-origin")).toBeNull();
});
