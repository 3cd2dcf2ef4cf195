import { afterAll, beforeAll, expect, test } from "bun:test";
import { formatGenerationId, type GenerationId, newId } from "@turnpike/base";
import { type Connection, connectDatabase } from "@turnpike/db";
import { callProcedure, openTestApi, type TestApi } from "../open-test-api.fixture.ts";

let bed: TestApi;
let owner: Connection;

beforeAll(async () => {
  bed = await openTestApi();
  owner = connectDatabase({ url: bed.ownerUrl, max: 1 });
});
afterAll(async () => {
  await owner.close();
  await bed.close();
});

test("the page of a request shows the service tier that was billed, if there was one", async () => {
  const member = await bed.addMember();
  const context = await bed.contextOf(member);
  const detail = (id: string) => callProcedure("logs.detail", context, { id });
  const { generationId } = member.ownedIds;
  expect(await detail(generationId)).toMatchObject({ value: { serviceTier: null } });
  const id = newId<GenerationId>();
  await owner.sql`
    insert into requests (account_id, id, state, model, usage_details)
    values (${member.accountId}, ${id}, 'refused', 'a/model', '{"serviceTier": "flex"}')`;
  expect(await detail(formatGenerationId(id))).toMatchObject({ value: { serviceTier: "flex" } });
});
