import { afterAll, beforeAll, expect, test } from "bun:test";
import { formatGenerationId, type GenerationId, newId } from "@turnpike/base";
import { arrayLiteral, type Connection, connectDatabase } from "@turnpike/db";
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

test("requests newer than one are counted, beyond the limit and only those a filter finds", async () => {
  const member = await bed.addMember();
  const context = await bed.contextOf(member);
  const write = async (models: readonly string[]) => {
    const ids = models.map(() => newId<GenerationId>());
    await owner.sql`
      insert into requests (account_id, id, state, model)
      select ${member.accountId}, id, 'refused', model
      from unnest(${arrayLiteral(ids)}::uuid[], ${arrayLiteral(models)}::text[]) as new (id, model)`;
    return formatGenerationId(ids.at(-1) ?? newId<GenerationId>());
  };
  const listed = (input: object) => callProcedure("logs.list", context, { limit: 1, ...input });
  const first = await write(["a/one"]);
  const last = await write(["a/one", "a/two", "a/two"]);
  expect(await listed({})).toMatchObject({ value: { newer: null } });
  const rows = { length: 1 };
  expect(await listed({ newerThan: first })).toMatchObject({ value: { newer: 3, rows } });
  expect(await listed({ newerThan: first, models: ["a/two"] })).toMatchObject({
    value: { newer: 2 },
  });
  expect(await listed({ newerThan: last })).toMatchObject({ value: { newer: 0 } });
  await write(Array.from({ length: 600 }, () => "a/one"));
  expect(await listed({ newerThan: last })).toMatchObject({ value: { newer: 501 } });
});
