// How large an answer with vectors may be: it has its own limit, far above that of a chat's answer.
// Both are scaled down here.
import { afterAll, afterEach, expect, test } from "bun:test";
import { largeLimits, wholeLimits } from "@turnpike/providers";
import {
  expectCleanBooks,
  expectFault,
  openAccount,
  readJson,
  readMoney,
  startTestServer,
} from "../harness/index.ts";
import {
  embeddingsBody,
  expectedVector,
  postEmbeddings,
  vectorsOf,
} from "./ask-embeddings.fixture.ts";

/** A vector of the scripted upstream has 256 numbers of about 20 characters. */
const server = await startTestServer({
  limits: {
    whole: { ...wholeLimits, maxBodyBytes: 1_000 },
    large: { ...largeLimits, maxBodyBytes: 20_000 },
  },
});
afterAll(() => server.close());
afterEach(() => expectCleanBooks(server));

test("vectors larger than the limit of a chat's answer are served", async () => {
  const account = await openAccount(server);
  const response = await postEmbeddings(server, account.key, embeddingsBody(["one", "two"]));
  expect(response.status).toBe(200);
  const body = await readJson(response);
  expect(vectorsOf(body)).toEqual([expectedVector("one"), expectedVector("two")]);
});

test("vectors beyond their own limit are an error of the upstream and cost nothing", async () => {
  const account = await openAccount(server);
  const inputs = Array.from({ length: 20 }, (_, index) => `input ${index}`);
  const response = await postEmbeddings(server, account.key, embeddingsBody(inputs));
  await expectFault(response, { status: 502, type: "upstream_error", code: "bad_gateway" });
  expect(await readMoney(server, account.id)).toMatchObject({ balanceNanos: 10_000_000_000n });
});
