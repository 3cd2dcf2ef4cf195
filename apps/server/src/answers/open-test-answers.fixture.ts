// A database with an account, for tests of the stores of answers: as its owner and as the server's role.
import { createAccount } from "@turnpike/accounts";
import { type AccountId, newId } from "@turnpike/base";
import { type Connection, connectDatabase } from "@turnpike/db";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";

export type TestAnswers = {
  readonly database: TestDatabase;
  readonly owner: Connection;
  /** What the server may do. */
  readonly app: Connection;
  readonly newAccount: () => Promise<AccountId>;
  readonly close: () => Promise<void>;
};

export async function openTestAnswers(): Promise<TestAnswers> {
  const database = await createTestDatabase();
  const owner = connectDatabase({ url: database.ownerUrl, max: 2 });
  const app = connectDatabase({ url: database.url, max: 2 });
  return {
    database,
    owner,
    app,
    async newAccount() {
      const email = `${newId()}@example.com`;
      return (await createAccount(app.db, { email })).accountId;
    },
    async close() {
      await Promise.all([owner.close(), app.close()]);
      await database.drop();
    },
  };
}
