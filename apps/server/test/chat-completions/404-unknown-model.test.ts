// An unknown model: 404 with the nearest names, and nothing about models the caller cannot use.
import { afterAll, afterEach, expect, test } from "bun:test";
import {
  chatBody,
  expectCleanBooks,
  expectFault,
  openAccount,
  postChat,
  startTestServer,
  testModels,
} from "../harness/index.ts";

const server = await startTestServer();
const account = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(() => server.close());

const ask = (model: string) => postChat(server, account.key, chatBody({}, { model }));
const unknown = { status: 404, code: "model_not_found" };

test("a wrong name is answered with the nearest right one", async () => {
  const error = await expectFault(await ask("test/chaep"), unknown);
  expect(error.message).toContain("`test/chaep`");
  expect(error.message).toContain("`test/cheap`");
});

test("names are not corrected: another case, spaces or a part of a name are unknown", async () => {
  const names = [
    "TEST/cheap",
    " test/cheap",
    "test/chea",
    "chea",
    "/cheap",
    "__proto__",
    "constructor",
  ];
  for (const model of names) {
    await expectFault(await ask(model), unknown);
  }
});

test("a model whose provider has no key does not exist and is not suggested", async () => {
  const error = await expectFault(await ask(testModels.hidden), unknown);
  expect(String(error.message).replace(`\`${testModels.hidden}\``, "")).not.toContain("hidden");
  const near = await expectFault(await ask("test/hiden"), unknown);
  expect(near.message).not.toContain(testModels.hidden);
});

test("no upstream is called for any of these", () => {
  expect(server.upstream.requests).toHaveLength(0);
});
