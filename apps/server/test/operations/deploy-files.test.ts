// The files of deploy name variables that the server reads, and Caddy serves with its own as nginx does.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@turnpike/testing";
import {
  chatBody,
  expectCleanBooks,
  openAccount,
  postChat,
  startTestServer,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import { adapt, findProgram, root } from "./read-documented.ts";

const caddy = findProgram("caddy");
if (caddy === undefined) console.log("skip: caddy is not installed");

const caddyfile = join(root, "deploy/caddy/Caddyfile");
let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "turnpike-caddy-"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));
const env = () => ({ PATH: process.env.PATH, HOME: home, XDG_DATA_HOME: home });

test.skipIf(caddy === undefined)("caddy validate finds nothing wrong with the Caddyfile", () => {
  const { exitCode, stderr } = Bun.spawnSync(
    [caddy ?? "", "validate", "--adapter", "caddyfile", "--config", caddyfile],
    { env: env() },
  );
  expect(stderr.toString()).not.toMatch(/"level":"(warn|error)"/);
  expect(exitCode).toBe(0);
});

test.skipIf(caddy === undefined)(
  "behind Caddy tokens arrive as they are sent, addresses cannot be invented, and errors are JSON",
  async () => {
    const token = "a-token-that-Prometheus-has";
    const server = await startTestServer({
      environment: { TRUSTED_PROXIES: "127.0.0.1", METRICS_TOKEN: token },
    });
    const url = `http://127.0.0.1:${await freePort()}`;
    const site = adapt(readFileSync(caddyfile, "utf8"), {
      "turnpike.example {": `${url} {`,
      "127.0.0.1:3000": new URL(server.url).host,
    });
    const config = join(home, "Caddyfile");
    writeFileSync(config, `{\n\tadmin off\n}\n${site}`);
    const running = Bun.spawn([caddy ?? "", "run", "--adapter", "caddyfile", "--config", config], {
      env: env(),
      stdout: "ignore",
      stderr: "ignore",
    });
    try {
      const headers = { authorization: `Bearer ${token}`, "x-forwarded-for": "192.0.2.1" };
      const ready = await eventually("Caddy to answer", async () => {
        const answer = await fetch(`${url}/readyz`, { headers }).catch(() => undefined);
        return answer?.status === 200 && answer.text();
      });
      expect(ready).toContain("\nyou are 127.0.0.1\n");
      expect((await fetch(`${url}/metrics`, { headers })).status).toBe(404);
      const { key } = await openAccount(server);
      const body = chatBody({ tag: "gated", deltas: 2, stallAfterDeltas: 1 }, { stream: true });
      const leaving = new AbortController();
      const answer = await postChat({ baseUrl: `${url}/v1` }, key, body, {
        signal: leaving.signal,
      });
      let received = "";
      for await (const bytes of answer.body ?? []) {
        received += Buffer.from(bytes).toString();
        if (received.includes('" tok"')) break;
      }
      leaving.abort();
      // Caddy tells the server, which ends the call; a stream that stalls would not end by itself.
      await eventually("the call to end", async () => {
        return server.upstream.requests.every(({ ending }) => ending !== undefined);
      });
      await expectCleanBooks(server);
      await server.close();
      const refused = await fetch(`${url}/v1/models`);
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "2"]);
      expect(await refused.json()).toMatchObject({ error: { code: "overloaded" } });
    } finally {
      running.kill();
      await running.exited;
    }
  },
  120_000,
);

const listed = readFileSync(join(root, ".env.example"), "utf8").matchAll(/^([A-Z][A-Z0-9_]+)=/gm);
const settings = new Set([...listed].map(([, name]) => name));
/** Of the cluster of compose.yaml and its SQL, and what an operator types. */
const others =
  /^(?:POSTGRES|TURNPIKE_(?:OWNER|APP))_PASSWORD$|^OWNER_URL$|^AF_|^NODE_ENV$|^STATE_DIRECTORY$/;

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
