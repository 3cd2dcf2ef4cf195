// The plain cases through the gateway, from our own scripted upstream and from an independent mock
// server: what works only with our own does not implement the format.
import { afterAll, afterEach, describe } from "bun:test";
import { answerPlainCase, startMockPeer } from "@turnpike/testing";
import { testPlainCases } from "../dialects/test-plain-cases.ts";
import { expectCleanBooks, openAccount, startTestServer } from "../harness/index.ts";

const peer = await startMockPeer();
const server = await startTestServer({
  catalog: (baseUrl) => `
providers:
  - { id: scripted, baseUrl: "${baseUrl}" }
  - { id: peer, baseUrl: "${peer.baseUrl}", apiKey: any }
models:
${["scripted", "peer"]
  .map(
    (id) => `
  - id: plain/${id}
    contextTokens: 10000
    maxOutputTokens: 1000
    capabilities: [tools]
    routes: [{ provider: ${id}, model: gpt-4o }]
    prices: { input: "1", output: "2" }`,
  )
  .join("")}
`,
});
server.upstream.script(answerPlainCase);
const account = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(async () => {
  await server.close();
  await peer.close();
});

describe.each(["plain/scripted", "plain/peer"])("%s", (model) => {
  testPlainCases(server, account, model);
});
