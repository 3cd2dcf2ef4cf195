// Which names the server answers to, and that what is routed is the path that was parsed: over a real
// socket, because no HTTP client sends such Hosts. In production and in development.
import { afterAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { createApp } from "../../src/app.ts";
import type { Config } from "../../src/config.ts";
import { listen } from "../../src/listen.ts";
import { openAccount, sendRaw, startTestServer } from "../harness/index.ts";

const token = "a-token-of-sixteen-and-more";
const site = await startTestServer({
  environment: { ALLOWED_HOSTS: "a, ab, abc, [::2], api.internal" },
});
afterAll(() => site.close());

/** The same services behind a listener with other settings. */
function listenAs(changes: Partial<Config>) {
  const services = { ...site.services, config: { ...site.services.config, ...changes, PORT: 0 } };
  const server = listen(services, (listener) =>
    createApp(services, { ...listener, state: { draining: false } }),
  );
  afterAll(() => server.stop(true));
  return Number(server.port);
}

const PUBLIC_URL = "https://turnpike.example";
const production = { NODE_ENV: "production", PUBLIC_URL, SANDBOX: false } as const;
const port = listenAs(production);
const guarded = listenAs({ ...production, METRICS_TOKEN: token });

function ask(at: number, host: string, path = "/v1/models", lines: readonly string[] = []) {
  const head = [`GET ${path} HTTP/1.1`, `Host: ${host}`, ...lines, "Connection: close", "", ""];
  return sendRaw(at, head.join("\r\n"));
}

describe("in production", () => {
  test.each(["turnpike.example", "TURNPIKE.example:443", "turnpike.example:80", "api.internal"])(
    "the host %s is accepted",
    async (host) => {
      expect((await ask(port, host)).status).toBe(401);
    },
  );

  test.each([
    "evil.example",
    "localhost",
    "127.0.0.1",
    "turnpike.example.evil.example",
    "turnpike.example.",
    "turnpike%2eexample",
    "u@turnpike.example",
    "turnpike.example:0x50",
  ])("the host %s is refused for every path", async (host) => {
    for (const path of [
      "/v1/models",
      "/trpc/auth.me",
      "/",
      "/metrics",
      "/.well-known/security.txt",
    ]) {
      const answer = await ask(port, host, path);
      expect([path, answer.status]).toEqual([path, 400]);
      expect(answer.body).toContain('"invalid_request_error"');
    }
  });

  test("the refusal says what an operator can do", async () => {
    const { body } = await ask(port, "gateway.internal");
    expect(JSON.parse(body).error.message).toBe(
      "This server does not answer to the host gateway.internal. The operator can add it to ALLOWED_HOSTS.",
    );
  });

  test("a load balancer may check health under any name", async () => {
    for (const path of ["/livez", "/readyz"]) {
      expect((await ask(port, "10.1.2.3:3000", path)).status).toBe(200);
    }
  });

  test("the metrics need a token, even on loopback, and with it any host name is accepted", async () => {
    expect((await ask(port, "turnpike.example", "/metrics")).status).toBe(404);
    const authorization = [`Authorization: Bearer ${token}`];
    expect((await ask(port, "turnpike.example", "/metrics", authorization)).status).toBe(404);
    expect((await ask(guarded, "turnpike.example", "/metrics")).status).toBe(404);
    expect((await ask(guarded, "10.1.2.3:3000", "/metrics", authorization)).status).toBe(200);
  });
});

describe("the path that is routed is the path that was parsed", () => {
  const hosts = ["a", "ab", "abc", "a:1", "A", "[::2]", "turnpike.example"];
  test.each(hosts)("for the host %s", async (host) => {
    const authorization = [`Authorization: Bearer ${token}`];
    for (const path of ["/zz/metrics", "/z/livez", "//metrics", "/zz?/metrics", "/%6detrics"]) {
      const answer = await ask(guarded, host, path, authorization);
      expect([path, answer.status]).toEqual([path, 404]);
    }
    expect((await ask(guarded, host, "/metrics", authorization)).status).toBe(200);
    expect((await ask(guarded, host, "/zz/../metrics", authorization)).status).toBe(200);
  });

  test("a request target with a fragment matches no route", async () => {
    expect((await ask(guarded, "turnpike.example", "/metrics#/x")).status).toBe(400);
  });
});

describe("in development", () => {
  test.each(["localhost", "127.0.0.1", "[::1]"])(
    "the loopback name %s is accepted",
    async (host) => {
      expect((await ask(site.port, `${host}:${site.port}`)).status).toBe(401);
    },
  );

  test("another site's name that resolves to us reads nothing: no mails, no sign-in, no sources", async () => {
    for (const path of ["/dev/mail.json", "/dev/mail", "/trpc/auth.me", "/v1/models", "/metrics"]) {
      const answer = await ask(site.port, `rebound.example:${site.port}`, path);
      expect([path, answer.status]).toEqual([path, 400]);
    }
  });

  test("a host name matches only as a whole", async () => {
    for (const host of ["127.0.0.1.evil.example", "127.evil.example", "localhost.evil.example"]) {
      expect((await ask(site.port, host)).status).toBe(400);
    }
  });
});

test("every answer has HSTS if the public URL is https, and no type is guessed", async () => {
  const paths = ["/v1/models", "/livez", "/metrics", "/trpc/auth.me", "/nowhere", "/", "/v1/x"];
  for (const host of ["turnpike.example", "evil.example", "999.1.1.1"]) {
    for (const path of paths) {
      const { headers } = await ask(port, host, path);
      expect([path, headers.get("strict-transport-security")]).toEqual([path, "max-age=31536000"]);
      expect([path, headers.get("x-content-type-options")]).toEqual([path, "nosniff"]);
    }
  }
  const { headers } = await ask(site.port, "localhost");
  expect(headers.get("strict-transport-security")).toBeNull();
});

test("a security contact is published if the operator configured one", async () => {
  const named = listenAs({ ...production, SECURITY_CONTACT: "security@turnpike.example" });
  const answer = await ask(named, "turnpike.example", "/.well-known/security.txt");
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    "text/plain; charset=utf-8",
  ]);
  expect(answer.body).toContain("Contact: mailto:security@turnpike.example\nExpires: 20");
  const unnamed = await ask(port, "turnpike.example", "/.well-known/security.txt");
  expect(unnamed.status).toBe(404);
});

test("without SANDBOX there is no mailbox, no sandbox checkout, and no mention of them", async () => {
  const bare = await startTestServer({ environment: { SANDBOX: "false" } });
  try {
    for (const path of ["/dev/mail", "/dev/mail.json", "/dev/checkout/x"]) {
      expect((await fetch(`${bare.url}${path}`)).status).toBe(404);
    }
    const config = await (await fetch(`${bare.url}/trpc/config.public`)).json();
    expect(config).toMatchObject({ result: { data: { development: false, topUpMode: "none" } } });
  } finally {
    await bare.close();
  }
});

test("clients behind a trusted proxy are limited by their own addresses", async () => {
  const bounded = await startTestServer({
    environment: { TRUSTED_PROXIES: "127.0.0.1", CONNECTIONS_PER_ADDRESS_MAX: "2" },
  });
  try {
    const { key } = await openAccount(bounded);
    const head = (start: string, address: string) =>
      [
        start,
        "Host: localhost",
        `X-Forwarded-For: ${address}`,
        `Authorization: Bearer ${key}`,
        "Content-Type: application/json",
      ].join("\r\n");
    // Bodies that are announced and never arrive hold their connections.
    const slow = [1, 2].map(() => connect(bounded.port, "127.0.0.1"));
    for (const socket of slow) {
      const start = head("POST /v1/chat/completions HTTP/1.1", "203.0.113.7");
      socket.write(`${start}\r\nContent-Length: 10\r\n\r\n`);
    }
    const get = (address: string, connection = "\r\nConnection: close") =>
      sendRaw(bounded.port, `${head("GET /v1/models HTTP/1.1", address)}${connection}\r\n\r\n`);
    // They are counted once their heads have been read.
    while ((await get("203.0.113.7")).status !== 429) await Bun.sleep(5);
    // A refused connection is closed even if the client would keep it: this resolves.
    const refused = await get("203.0.113.7", "");
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(refused.body).toContain("Too many concurrent requests from your address.");
    expect((await get("203.0.113.8")).status).toBe(200);
    for (const socket of slow) socket.destroy();
    while ((await get("203.0.113.7")).status === 429) await Bun.sleep(5);
    expect((await get("203.0.113.7")).status).toBe(200);
  } finally {
    await bounded.close();
  }
});
