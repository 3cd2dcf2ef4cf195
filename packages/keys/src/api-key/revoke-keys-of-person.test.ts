// Which keys end when a person recovers from a break-in: those that an intruder may know or have made, and none of an
// account that the person has left.
import { afterAll, expect, test } from "bun:test";
import { createAccount } from "@turnpike/accounts";
import { connectDatabase } from "@turnpike/db";
import { createTestDatabase, patientLimits } from "@turnpike/testing";
import { listApiKeys } from "./list-api-keys.ts";
import { mintApiKey } from "./mint-api-key.ts";
import { revokeKeysOfPerson } from "./revoke-api-key.ts";

const database = await createTestDatabase();
const { db, close } = connectDatabase({ url: database.url, ...patientLimits });
const owner = connectDatabase({ url: database.ownerUrl, ...patientLimits });
const { sql } = owner;
afterAll(async () => {
  await Promise.all([close(), owner.close()]);
  await database.drop();
});

test("keys made for an account end while their maker is a member, and stay once they have left", async () => {
  const ada = await createAccount(db, { email: "ada@example.com" });
  const company = await createAccount(db, { email: "owner@example.com" });
  const mint = (accountId: typeof ada.accountId, name: string, shownTo = ada.personId) =>
    mintApiKey(db, { accountId, createdBy: shownTo, name });
  const revokedOf = async (accountId: typeof ada.accountId) =>
    (await listApiKeys(db, accountId)).flatMap(({ name, revokedAt }) =>
      revokedAt === null ? [] : [name],
    );
  await sql`update accounts set kind = 'organization', slug = 'company' where id = ${company.accountId}`;
  await sql`insert into memberships (account_id, person_id, role)
    values (${company.accountId}, ${ada.personId}, 'admin')`;
  await mint(ada.accountId, "own");
  await mint(company.accountId, "theirs", company.personId);
  await mint(company.accountId, "as a member");
  expect(await revokeKeysOfPerson(db, ada.personId)).toBe(2);
  expect(await revokedOf(ada.accountId)).toEqual(["own"]);
  expect(await revokedOf(company.accountId)).toEqual(["as a member"]);
  const entries = await sql`
    select object_name, actor_name from audit_log
     where account_id = ${company.accountId} and action = 'key.revoke'`;
  expect([...entries]).toEqual([{ object_name: "as a member", actor_name: "account recovery" }]);

  await mint(company.accountId, "handed over");
  await sql`delete from memberships
    where account_id = ${company.accountId} and person_id = ${ada.personId}`;
  expect(await revokeKeysOfPerson(db, ada.personId)).toBe(0);
  expect(await revokedOf(company.accountId)).toEqual(["as a member"]);
});
