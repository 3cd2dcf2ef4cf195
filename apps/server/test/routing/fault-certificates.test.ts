// FU3 of the faults a gateway must survive: an upstream with an invalid certificate. Another route
// answers, or the caller gets a 502 and pays nothing; the upstream receives no byte of the request, which
// contains our key.
import { afterAll, afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnServer, startTcpProxy } from "@turnpike/testing";
import {
  expectCleanBooks,
  expectFault,
  openAccount,
  openTestSite,
  readMoney,
} from "../harness/index.ts";
import { type Certificate, openAuthority, selfSigned } from "../harness/issue-certificate.ts";
import { askRouted, readGeneration } from "./start-routed-server.ts";

const answer = JSON.stringify({
  id: "x",
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
});

/** A TLS server with this certificate that answers what it can read, and counts its bytes. */
async function listenTls({ cert, key }: Certificate) {
  const read = { bytes: 0 };
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${answer.length}`;
  const listener = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    tls: { cert, key },
    socket: {
      data(socket, bytes) {
        read.bytes += bytes.byteLength;
        socket.write(`${head}\r\n\r\n${answer}`);
      },
    },
  });
  // Its bytes are those of TLS, including the certificate.
  const proxy = await startTcpProxy({ port: listener.port });
  return {
    read,
    presented: () => proxy.bytes["to-client"],
    baseUrl: `https://127.0.0.1:${proxy.port}/v1`,
    async close() {
      await proxy.close();
      listener.stop(true);
    },
  };
}

const authority = openAuthority();
const address = "127.0.0.1";
const upstreams = {
  trusted: await listenTls(authority.issue({ address })),
  "self-signed": await listenTls(selfSigned({ address })),
  misnamed: await listenTls(authority.issue({ name: "upstream.example" })),
};
type Name = keyof typeof upstreams;

function catalog(plain: string): string {
  const facts = "contextTokens: 10000, maxOutputTokens: 1000";
  const prices = 'prices: { input: "0.10", output: "0.40" }';
  const names = Object.entries(upstreams);
  const providers = names.map(
    ([name, { baseUrl }]) =>
      `  - { id: ${name}, baseUrl: "${baseUrl}", apiKey: key-of-${name}-0123456789 }`,
  );
  // Each model has its own route, so that the failures of one do not affect calls of the other.
  const models = names.flatMap(([name]) => [
    `  - { id: test/${name}, ${facts}, ${prices}, routes: [{ provider: ${name}, model: alone }] }`,
    `  - { id: test/${name}-or-plain, ${facts}, ${prices}, routes: [
      { provider: ${name}, model: first }, { provider: plain, model: up }] }`,
  ]);
  return `
providers:
  - { id: plain, baseUrl: "${plain}" }
${providers.join("\n")}
models:
${models.join("\n")}
`;
}

const folder = mkdtempSync(join(tmpdir(), "turnpike-certificates-"));
const authorityFile = join(folder, "authority.pem");
writeFileSync(authorityFile, authority.cert);
const site = await openTestSite({ catalog });
site.upstream.script({ deltas: 2 });
// The authorities that a process trusts are set when it starts.
const server = await spawnServer({ ...site.environment, NODE_EXTRA_CA_CERTS: authorityFile });
const account = await openAccount(site);

afterEach(() => expectCleanBooks(site));
afterAll(async () => {
  await server.kill("SIGTERM");
  await site.close();
  for (const { close } of Object.values(upstreams)) await close();
  rmSync(folder, { recursive: true });
});

test("FU3: a certificate from a trusted authority for the right address is accepted", async () => {
  const answered = await askRouted(server, account, { model: "test/trusted" });
  expect(answered.status).toBe(200);
  await answered.text();
  expect(upstreams.trusted.read.bytes).toBeGreaterThan(0);
});

const unproven: readonly Name[] = ["self-signed", "misnamed"];
const ways = [false, true];
const cases = unproven.flatMap((name) => ways.map((stream) => ({ name, stream })));

test.each(cases)(
  "FU3: a $name certificate, stream $stream: alone it is a 502, with others it fails over",
  async ({ name, stream }) => {
    const { read, presented } = upstreams[name];
    const { balanceNanos } = await readMoney(site, account.id);
    const before = presented();
    const alone = await askRouted(server, account, { model: `test/${name}`, stream });
    await expectFault(alone, { status: 502, type: "upstream_error", code: "bad_gateway" });
    expect((await readMoney(site, account.id)).balanceNanos).toBe(balanceNanos);
    const answered = await askRouted(server, account, { model: `test/${name}-or-plain`, stream });
    expect(answered.status).toBe(200);
    await answered.text();
    expect(await readGeneration(server, account, answered)).toMatchObject({
      provider_name: "plain",
      attempts: [{ provider: name, status: 0, error: "bad_gateway" }, { provider: "plain" }],
    });
    expect(presented()).toBeGreaterThan(before);
    expect(read.bytes).toBe(0);
  },
);
