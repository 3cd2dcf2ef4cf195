// One port, one server: the second one is refused in every mode and on every address that overlaps,
// instead of taking half of the connections of the first.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { errorCodeOf } from "@turnpike/db";
import { startScriptedStripe } from "@turnpike/testing";
import { listen, type Server } from "../../src/listen.ts";
import { startTestServer, type TestServer } from "../harness/index.ts";

const taken =
  "Turnpike cannot start: another process listens on this port. Set PORT to a free one.\n";
const main = join(import.meta.dir, "../../src/main.ts");

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function startSecond(environment: Readonly<Record<string, string>>) {
  const child = Bun.spawn([process.execPath, main], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...server.environment, ...environment },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const said = await new Response(child.stderr).text();
  return { exitCode: await child.exited, said };
}

test.each(["development", "test"])(
  "a second server on the port is refused under NODE_ENV=%s, and leaves no live instance",
  async (mode) => {
    const { exitCode, said } = await startSecond({ NODE_ENV: mode, PORT: String(server.port) });
    expect(said).toBe(taken);
    expect(exitCode).toBe(1);
    const live = await server.owner.sql`select id from instances where ended_at is null`;
    expect(live.map((row) => row.id)).toEqual([server.services.heartbeat.instanceId]);
  },
);

test("a second server is refused even if Stripe, which it asks at its start, does not answer", async () => {
  const stripe = await startScriptedStripe();
  const held = stripe.hold(/^/);
  try {
    const second = { ...stripe.environment, PORT: String(server.port), SETTLE_WAIT_MS: "3000" };
    expect(await startSecond(second)).toEqual({ exitCode: 1, said: taken });
    // It did not wait until its first call was abandoned and repeated.
    expect(stripe.calls.length).toBeLessThanOrEqual(1);
  } finally {
    held.release();
    await stripe.close();
  }
});

function listenOn(host: string, port: number): Server {
  const config = { ...server.services.config, HOST: host, PORT: port };
  return listen({ ...server.services, config }, () => ({ fetch: () => new Response("ok") }));
}

const hasIpv6 = (() => {
  try {
    void listenOnce("::1");
    return true;
  } catch {
    return false;
  }
})();

function listenOnce(hostname: string): Promise<void> {
  return Bun.serve({ hostname, port: 0, fetch: () => new Response() }).stop(true);
}

test.each([
  ["127.0.0.1", "127.0.0.1"],
  ["0.0.0.0", "0.0.0.0"],
  ["0.0.0.0", "127.0.0.1"],
  ["127.0.0.1", "0.0.0.0"],
  ["0.0.0.0", "::"],
  ["::", "0.0.0.0"],
  ["::", "::"],
  ["::", "::1"],
  ["::1", "::"],
  ["::", "127.0.0.1"],
])("while %s has the port, %s cannot use it", async (first, second) => {
  if (!hasIpv6 && `${first}${second}`.includes(":")) {
    console.log(`not tried: this machine has no IPv6 (${first}, ${second})`);
    return;
  }
  const listening = listenOn(first, 0);
  try {
    let refusal: unknown;
    try {
      await listenOn(second, Number(listening.port)).stop(true);
    } catch (error) {
      refusal = error;
    }
    expect(errorCodeOf(refusal)).toBe("EADDRINUSE");
  } finally {
    await listening.stop(true);
  }
});
