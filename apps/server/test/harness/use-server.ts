// The setup that most test files share: one server and one account for all tests, books that are
// checked after each test, and the shutdown.
import { afterAll, afterEach } from "bun:test";
import { expectCleanBooks } from "./expect-clean-books.ts";
import { openAccount, type TestAccount } from "./open-account.ts";
import type { TestServer } from "./start-test-server.ts";

/**
 * For the top of a test file: `const { server, account } = await useServer(startTestServer());`. The account
 * has ten dollars unless `options` say otherwise.
 */
export async function useServer<Server extends TestServer>(
  starting: Promise<Server>,
  options?: Parameters<typeof openAccount>[1],
): Promise<{ readonly server: Server; readonly account: TestAccount }> {
  const server = await starting;
  afterEach(() => expectCleanBooks(server));
  afterAll(() => server.close());
  return { server, account: await openAccount(server, options) };
}
