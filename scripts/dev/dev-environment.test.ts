// `bun dev` in unusual environments: a folder name that a shell would read as code, an HTTP proxy for all
// traffic, an ordinary user with few rights.
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leftovers, openCopy, pasteCurl } from "./try-dev.fixture.ts";

const isRoot = process.getuid?.() === 0;
const slow = 600_000;
const { folder, start } = openCopy({
  prefix: `turnpike $HOME "quoted" 'n' \`date\` ü-`,
});

test(
  "it works in a folder whose name has $, quotes, spaces and umlauts",
  async () => {
    const run = await start();
    const facts = await run.ready();
    expect(await pasteCurl(run)).toBe("Hello");
    const main = await fetch(`${facts.consoleUrl}/src/main.tsx`);
    expect(main.headers.get("content-type")).toContain("javascript");
    run.child.kill("SIGTERM");
    expect(await leftovers(folder)).toEqual([]);
  },
  slow,
);

test(
  "behind an HTTP proxy every process is called directly, also by the printed curl",
  async () => {
    const proxied: string[] = [];
    const proxy = createServer((request, response) => {
      proxied.push(String(request.url));
      response.writeHead(502).end();
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    const address = proxy.address();
    const url = typeof address === "object" ? `http://127.0.0.1:${address?.port}` : "";
    const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];
    const spellings = [...names, ...names.map((name) => name.toLowerCase())];
    const environment = Object.fromEntries(spellings.map((name) => [name, url]));
    try {
      const run = await start({
        environment: { ...environment, NO_PROXY: undefined, no_proxy: undefined },
      });
      const facts = await run.ready();
      expect(await pasteCurl(run, environment)).toBe("Hello");
      // The server fetches the page from Vite.
      expect(await (await fetch(facts.consoleUrl)).text()).toContain("/@vite/client");
      expect(proxied).toEqual([]);
    } finally {
      proxy.close();
    }
  },
  slow,
);

test(
  "an ordinary user needs no more than a writable data folder",
  async () => {
    if (!isRoot) return console.log("skip: every other test here already runs as an ordinary user");
    const home = mkdtempSync(join(tmpdir(), "turnpike-home-"));
    const user = { uid: 1234, gid: 1234 };
    chownSync(home, user.uid, user.gid);
    chmodSync(home, 0o700);
    // As if that user had cloned and installed. Files stay: they may be links into Bun's cache.
    const owner = `${user.uid}:${user.gid}`;
    spawnSync("find", [folder, "-type", "d", "-exec", "chown", owner, "{}", "+"]);
    try {
      const environment = { DATA_DIR: join(home, "data"), HOME: home };
      const run = await start({ user, environment });
      const facts = await run.ready();
      const answer = await fetch(`${facts.baseUrl}/models`, {
        headers: { authorization: `Bearer ${facts.apiKey}` },
      });
      expect(answer.status).toBe(200);
      expect(statSync(join(home, "data/dev.json")).uid).toBe(user.uid);
      run.child.kill("SIGTERM");
      expect(await leftovers(folder)).toEqual([]);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  },
  slow,
);
