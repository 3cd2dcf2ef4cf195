// The rules of a key and of its account hold for embeddings as for chats: a refused
// call reaches no upstream and costs nothing.
import { afterAll, afterEach, expect, test } from "bun:test";
import { type KeyLimits, noLimits, suspendAccount } from "@turnpike/keys";
import {
  expectCleanBooks,
  expectFault,
  openAccount,
  startTestServer,
  type TestAccount,
  testModels,
} from "../harness/index.ts";
import { embeddingsBody, postEmbeddings } from "./ask-embeddings.fixture.ts";

const server = await startTestServer();
afterAll(() => server.close());
afterEach(() => expectCleanBooks(server));

const open = (limits: Partial<KeyLimits>) =>
  openAccount(server, { limits: { ...noLimits, ...limits } });
const forbidden = { status: 403, type: "permission_error", code: "permission_denied" };
const tooFast = { status: 429, type: "requests", code: "rate_limit_exceeded" };

/** Expects the fault, and that no upstream was called. */
async function expectRefused(
  { key }: Pick<TestAccount, "key">,
  fault: Parameters<typeof expectFault>[1],
  body = embeddingsBody("refused"),
): Promise<void> {
  const before = server.upstream.requests.length;
  await expectFault(await postEmbeddings(server, key, body), fault);
  expect(server.upstream.requests.length).toBe(before);
}

test("a model outside the key's list is 403, one inside is served", async () => {
  const account = await open({ allowedModels: [testModels.floats] });
  await expectRefused(account, forbidden);
  const allowed = embeddingsBody("served", { model: testModels.floats });
  expect((await postEmbeddings(server, account.key, allowed)).status).toBe(200);
});

test("requests per minute are counted: the second of one is 429", async () => {
  const account = await open({ requestsPerMinute: 1 });
  expect((await postEmbeddings(server, account.key, embeddingsBody("first"))).status).toBe(200);
  await expectRefused(account, tooFast);
});

test("a suspended account is 403", async () => {
  const account = await open({});
  await suspendAccount(server.owner.db, account.id);
  await expectRefused(account, {
    status: 403,
    type: "permission_error",
    code: "account_suspended",
  });
});
