// nginx in front of the server with the configuration of docs/operations.md: TLS outside, tokens without
// buffering, the caller's own address inside, errors of the server and not of the proxy.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { request } from "node:https";
import { join } from "node:path";
import { connect } from "node:tls";
import { noLimits } from "@turnpike/keys";
import { freePort, type SpawnedServer, spawnServer } from "@turnpike/testing";
import {
  at,
  chatBody,
  expectCleanBooks,
  openAccount,
  openTestSite,
  readJson,
  scripted,
  type TestSite,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import { findProgram } from "./read-documented.ts";
import { startNginx } from "./start-nginx.ts";

const nginx = findProgram("nginx");
const openssl = findProgram("openssl");
const isMissing = nginx === undefined || openssl === undefined;
if (isMissing) {
  console.log("skip: nginx or openssl is not installed; Debian has both as packages");
}

const programs = { nginx: nginx ?? "", openssl: openssl ?? "" };

describe.skipIf(isMissing)("behind nginx with TLS", () => {
  let site: TestSite;
  let server: SpawnedServer;
  let proxy: Awaited<ReturnType<typeof startNginx>>;

  beforeAll(async () => {
    site = await openTestSite();
    const ports = { plain: await freePort(), tls: await freePort() };
    server = await spawnServer({
      ...site.environment,
      PUBLIC_URL: `https://localhost:${ports.tls}`,
      TRUSTED_PROXIES: "127.0.0.1",
    });
    proxy = await startNginx(programs, ports, [server.url]);
  });
  afterAll(async () => {
    await proxy?.close();
    await server?.kill("SIGTERM");
    await expectCleanBooks(site);
    await site?.close();
  });

  async function readMetric({ url }: SpawnedServer, pattern: RegExp): Promise<number> {
    return Number(pattern.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);
  }

  type Post = { key: string; body: string; headers?: Record<string, string> };

  function post({ key, headers, ...rest }: Post): Promise<Response> {
    return fetch(`${proxy.url}/v1/chat/completions`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        ...headers,
      },
      tls: { ca: proxy.certificate },
      ...rest,
    });
  }

  test("tokens arrive while the upstream is still in the middle of its answer", async () => {
    const { key } = await openAccount(site);
    const body = chatBody({ endless: true, paceMs: 20, tag: "nginx" }, { stream: true });
    const answer = await post({ key, body: JSON.stringify(body) });
    expect(answer.headers.get("content-type")).toStartWith("text/event-stream");
    const reader = answer.body?.getReader();
    let text = "";
    while (text.split(' tok"').length < 4) {
      text += new TextDecoder().decode((await reader?.read())?.value);
    }
    const request = await site.upstream.waitFor(({ tag }) => tag === "nginx");
    expect(request.delivered.deltas).toBeGreaterThan(2);
    // nginx disconnects from the server when its client does, and the server from the upstream.
    await reader?.cancel();
    expect(await request.ended).toBe("gone");
  });

  test("a whole answer and a refusal are the server's own", async () => {
    const { key } = await openAccount(site);
    const answer = await post({ key, body: JSON.stringify(chatBody({ deltas: 2 })) });
    expect(at(await readJson(answer), "choices.0.message.content")).toBe(" tok tok");
    const refused = await post({ key: "sk-tp-unknown", body: "{}" });
    expect([refused.status, at(await readJson(refused), "error.code")]).toEqual([
      401,
      "invalid_api_key",
    ]);
  });

  test("a body that is too large gets the server's error, not the proxy's page", async () => {
    const { key } = await openAccount(site);
    const answer = await post({ key, body: " ".repeat(20 * 1024 * 1024 + 1) });
    expect(answer.status).toBe(413);
    expect(at(await readJson(answer), "error.type")).toBe("invalid_request_error");
  });

  test("a key bound to addresses sees the caller's address, which a header cannot change", async () => {
    const { key } = await openAccount(site, {
      limits: { ...noLimits, allowedAddresses: ["127.0.0.2"] },
    });
    const body = JSON.stringify(chatBody({ deltas: 1 }));
    expect(await postFrom("127.0.0.2", key, body)).toBe(200);
    expect(await postFrom("127.0.0.1", key, body)).toBe(403);
    const forged = await post({ key, body, headers: { "x-forwarded-for": "127.0.0.2" } });
    expect(forged.status).toBe(403);
  });

  /** The status of a call that comes from a chosen address of this machine. */
  function postFrom(localAddress: string, key: string, body: string): Promise<number | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    const call = request(`${proxy.url}/v1/chat/completions`, {
      method: "POST",
      localAddress,
      ca: proxy.certificate,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    });
    call.on("response", (answer) => answer.resume().on("end", () => resolve(answer.statusCode)));
    call.on("error", reject).end(body);
    return promise;
  }

  /** A connection through TLS from an address of this machine, and what came back on it. */
  async function connectFrom(localAddress: string) {
    const port = Number(new URL(proxy.url).port);
    // Named first: the types of `connect` lack `localAddress`.
    const to = { host: "127.0.0.1", port, localAddress, servername: "localhost" };
    const socket = connect({ ...to, ca: proxy.certificate });
    let received = "";
    socket.setEncoding("utf8").on("data", (text) => {
      received += text;
    });
    socket.on("error", () => undefined);
    await once(socket, "secureConnect");
    return { socket, received: () => received };
  }

  test("limit_conn: beyond a hundred requests at once an address gets 429, and other addresses are served", async () => {
    const begun = "POST /v1/estimate HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n{";
    const calls = await Promise.all(Array.from({ length: 100 }, () => connectFrom("127.0.0.2")));
    for (const { socket } of calls) socket.write(begun);
    const ask = async () => {
      const { socket, received } = await connectFrom("127.0.0.2");
      socket.write("GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n");
      await eventually("an answer", async () => received().includes("\r\n\r\n"));
      socket.destroy();
      return received().split("\r\n", 1)[0];
    };
    // The heads of the hundred may still be on their way.
    await eventually("a refusal", async () => (await ask()) === "HTTP/1.1 429 Too Many Requests");
    expect((await fetch(`${proxy.url}/livez`, { tls: { ca: proxy.certificate } })).status).toBe(
      200,
    );
    const { socket, received } = await connectFrom("127.0.0.2");
    socket.write("GET /livez HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    await once(socket, "close");
    const [head = "", body = ""] = received().split("\r\n\r\n");
    expect(head).toMatch(/^content-type: application\/json$/im);
    expect(head).toMatch(/^retry-after: 1$/im);
    expect(JSON.parse(body)).toMatchObject({ error: { code: "rate_limit_exceeded", param: null } });
    for (const { socket } of calls) socket.destroy();
    await eventually("an answer", async () => (await ask()) === "HTTP/1.1 200 OK");
  });

  test("idle connections, more than nginx has, end at nginx: it closes the longest idle for others", async () => {
    // 512 unless `worker_connections` says otherwise.
    const idle: Awaited<ReturnType<typeof connectFrom>>[] = [];
    for (let n = 0; n < 600; n += 1) idle.push(await connectFrom("127.0.0.2"));
    expect((await fetch(`${proxy.url}/livez`, { tls: { ca: proxy.certificate } })).status).toBe(
      200,
    );
    // Sooner than any of them is closed for its silence, after a minute.
    const closed = () => idle.filter(({ socket }) => socket.closed).length;
    await eventually("the longest idle to be closed", async () => closed() >= 600 - 512, 20_000);
    for (const { socket } of idle) socket.destroy();
  });

  test("two servers: what the one that is away did not get goes to the other, and without both the answer is JSON", async () => {
    const { key } = await openAccount(site);
    const ports = { plain: await freePort(), tls: await freePort() };
    const second = await spawnServer({
      ...site.environment,
      PUBLIC_URL: `https://localhost:${ports.tls}`,
      DRAIN_NOTICE_MS: "0",
    });
    const away = `http://127.0.0.1:${await freePort()}`;
    const both = await startNginx(programs, ports, [away, second.url], "5s");
    const ask = (script: object = { deltas: 1 }) =>
      fetch(`${both.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(chatBody(script)),
        tls: { ca: both.certificate },
      });
    try {
      for (let n = 0; n < 4; n += 1) expect((await ask()).status).toBe(200);
      const timedOut = await ask({ gate: true, tag: "late" });
      expect([timedOut.status, timedOut.headers.get("content-type")]).toEqual([
        504,
        "application/json",
      ]);
      expect(at(await readJson(timedOut), "error.code")).toBe("upstream_timeout");
      site.upstream.open("late");
      await second.kill("SIGTERM");
      const refused = await ask();
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "2"]);
      expect(refused.headers.get("content-type")).toBe("application/json");
      expect(await readJson(refused)).toMatchObject({ error: { code: "overloaded", param: null } });
    } finally {
      await both.close();
      await second.kill();
    }
  });

  test("FX10: two servers: while the clock of one is wrong, the other answers every call that it refuses", async () => {
    const { key } = await openAccount(site);
    const ports = { plain: await freePort(), tls: await freePort() };
    const environment = { ...site.environment, PUBLIC_URL: `https://localhost:${ports.tls}` };
    const main = join(import.meta.dir, "../start/shift-clock.ts");
    const shifted = await spawnServer(environment, { main });
    const right = await spawnServer(environment);
    const both = await startNginx(programs, ports, [shifted.url, right.url]);
    const ask = (stream: boolean) =>
      fetch(`${both.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        // Longer than what nginx keeps of a body in memory.
        body: JSON.stringify(
          chatBody({}, { stream, messages: [scripted({ deltas: 2 }, "long ".repeat(8_000))] }),
        ),
        tls: { ca: both.certificate },
      });
    const isReady = async () => (await fetch(`${shifted.url}/readyz`)).status === 200;
    const refusals = () =>
      readMetric(shifted, /^turnpike_shed_calls_total\{.*reason="clock".*\} (\d+)/m);
    try {
      process.kill(shifted.pid, "SIGUSR2");
      await eventually("the server not to be ready", async () => !(await isReady()));
      const calls = Array.from({ length: 40 }, (_, index) => ask(index % 2 === 0));
      for (const answer of await Promise.all(calls)) {
        expect(answer.status).toBe(200);
        expect(await answer.text()).toContain(" tok");
      }
      // Half of them came to the wrong one first.
      expect(await refusals()).toBeGreaterThanOrEqual(10);
      // Without a server that can serve, its refusal is the answer.
      await right.kill("SIGTERM");
      const alone = await ask(false);
      expect([alone.status, at(await readJson(alone), "error.type")]).toEqual([
        503,
        "server_error",
      ]);
      process.kill(shifted.pid, "SIGUSR2");
      await eventually("the server to be ready again", isReady);
      expect((await ask(false)).status).toBe(200);
    } finally {
      await both.close();
      await Promise.all([shifted.kill("SIGTERM"), right.kill()]);
    }
  });

  test("plain HTTP is redirected to HTTPS, and /metrics is not public", async () => {
    const plain = await fetch(`${proxy.plainUrl}/wallet?a=1`, { redirect: "manual" });
    expect([plain.status, plain.headers.get("location")]).toEqual([
      301,
      "https://localhost/wallet?a=1",
    ]);
    const metrics = await fetch(`${proxy.url}/metrics`, { tls: { ca: proxy.certificate } });
    expect(metrics.status).toBe(404);
    expect((await fetch(`${proxy.url}/readyz`, { tls: { ca: proxy.certificate } })).status).toBe(
      200,
    );
  });
});
