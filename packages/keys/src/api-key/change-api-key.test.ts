// Who may change a key: its owner's account only, and in the console some changes only with a recent
// proof of identity. Operators need none.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createAccount } from "@turnpike/accounts";
import { type ApiKeyId, Fault, newId, type PersonId } from "@turnpike/base";
import { apiKeys, type Connection, connectDatabase } from "@turnpike/db";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { eq } from "drizzle-orm";
import { noLimits } from "../limits/key-limits.ts";
import {
  endPreviousSecret,
  type KeyOwner,
  rotateApiKey,
  setApiKeyDisabled,
  updateApiKey,
} from "./change-api-key.ts";
import { mintApiKey } from "./mint-api-key.ts";

let database: TestDatabase;
let connection: Connection;
let people = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  connection = connectDatabase({ url: database.url });
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});

/** A key with a limit, and its owner as the console passes them, without a recent proof. */
async function newOwner(): Promise<KeyOwner & Required<Pick<KeyOwner, "by">>> {
  people += 1;
  const email = `c${people}@example.com`;
  const { accountId, personId } = await createAccount(connection.db, { email });
  const limits = { ...noLimits, requestsPerMinute: 5 };
  const input = { accountId, createdBy: personId, name: "app", limits };
  const { id } = await mintApiKey(connection.db, input);
  const requireRecentProof = () => {
    throw new Fault("step_up_required", "Enter your password again to do this.");
  };
  return { accountId, id, by: { personId, requireRecentProof } };
}

async function codeOf(changed: Promise<unknown>): Promise<string> {
  const thrown = await changed.then(() => "changed").catch((error: unknown) => error);
  return thrown instanceof Fault ? thrown.code : String(thrown);
}

async function requestsPerMinuteOf({ id }: KeyOwner): Promise<number | null | undefined> {
  const [row] = await connection.db
    .select({ limit: apiKeys.requestsPerMinute })
    .from(apiKeys)
    .where(eq(apiKeys.id, id));
  return row?.limit;
}

test("loosening limits needs a recent proof, tightening does not, and an operator may do both", async () => {
  const { db } = connection;
  const owner = await newOwner();
  const { by: _, ...operator } = owner;
  const allow = (requestsPerMinute: number, who: KeyOwner = owner) =>
    codeOf(updateApiKey(db, who, { limits: { ...noLimits, requestsPerMinute } }));
  expect(await allow(6)).toBe("step_up_required");
  expect(await requestsPerMinuteOf(owner)).toBe(5);
  expect(await allow(4)).toBe("changed");
  expect(await requestsPerMinuteOf(owner)).toBe(4);
  expect(await allow(9, operator)).toBe("changed");
  expect(await requestsPerMinuteOf(owner)).toBe(9);
});

test("a key of another account and one that does not exist are not found by any change", async () => {
  const { db } = connection;
  const [owner, other] = [await newOwner(), await newOwner()];
  const changes = {
    rename: (key: KeyOwner) => updateApiKey(db, key, { name: "taken" }),
    limit: (key: KeyOwner) => updateApiKey(db, key, { limits: noLimits }),
    disable: (key: KeyOwner) => setApiKeyDisabled(db, key, true),
    rotate: (key: KeyOwner) => rotateApiKey(db, key, 60),
    endPrevious: (key: KeyOwner) => endPreviousSecret(db, key),
  };
  for (const [name, change] of Object.entries(changes)) {
    for (const id of [other.id, newId<ApiKeyId>()]) {
      expect([name, await codeOf(change({ ...owner, id }))]).toEqual([name, "not_found"]);
    }
  }
  expect(await requestsPerMinuteOf(other)).toBe(5);
});

test("a new secret of a key that another person made needs a recent proof", async () => {
  const { db } = connection;
  const maker = await newOwner();
  const colleague = { ...maker, by: { ...maker.by, personId: newId<PersonId>() } };
  expect(await codeOf(rotateApiKey(db, colleague, 0))).toBe("step_up_required");
  expect(await codeOf(rotateApiKey(db, maker, 0))).toBe("changed");
  const proved = { ...colleague, by: { ...colleague.by, requireRecentProof: () => undefined } };
  expect(await codeOf(rotateApiKey(db, proved, 0))).toBe("changed");
});
