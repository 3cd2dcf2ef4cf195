// The plain cases through the gateway, with our own scripted upstream and with an independent mock
// server: what works only with our own does not implement the format.
import { afterAll, describe } from "bun:test";
import { answerPlainCase, startMockPeer } from "@turnpike/testing";
import { plainCatalog, testPlainCases } from "../dialects/test-plain-cases.ts";
import { startTestServer, useServer } from "../harness/index.ts";

const peer = await startMockPeer();
const { server, account } = await useServer(
  startTestServer({
    catalog: (baseUrl) => plainCatalog("openai-compatible", baseUrl, peer.baseUrl),
  }),
);
server.upstream.script(answerPlainCase);
afterAll(() => peer.close());

describe.each(["plain/scripted", "plain/peer"])("%s", (model) => {
  testPlainCases(server, account, model);
});
