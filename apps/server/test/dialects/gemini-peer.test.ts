// The plain cases behind Gemini's API, with our own scripted upstream and with an independent server of its
// format: what works only with our own does not implement the format.
import { afterAll, describe } from "bun:test";
import { answerPlainCase, startMockPeer } from "@turnpike/testing";
import { startTestServer, useServer } from "../harness/index.ts";
import { geminiCatalog } from "./gemini-catalog.ts";
import { testPlainCases } from "./test-plain-cases.ts";

const peer = await startMockPeer();
const { server, account } = await useServer(
  startTestServer({ catalog: (baseUrl) => geminiCatalog(baseUrl, peer.url) }),
);
server.upstream.script(answerPlainCase);
afterAll(() => peer.close());

describe.each(["google/scripted", "google/peer"])("%s", (model) => {
  testPlainCases(server, account, model);
});
