// The plain cases behind Gemini's API, from our own scripted upstream and from an independent server of its
// format: what works only with our own does not implement the format.
import { afterAll, afterEach, describe } from "bun:test";
import { answerPlainCase, startMockPeer } from "@turnpike/testing";
import { expectCleanBooks, openAccount, startTestServer } from "../harness/index.ts";
import { geminiCatalog } from "./gemini-catalog.ts";
import { testPlainCases } from "./test-plain-cases.ts";

const peer = await startMockPeer();
const server = await startTestServer({ catalog: (baseUrl) => geminiCatalog(baseUrl, peer.url) });
server.upstream.script(answerPlainCase);
const account = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(async () => {
  await server.close();
  await peer.close();
});

describe.each(["google/scripted", "google/peer"])("%s", (model) => {
  testPlainCases(server, account, model);
});
