// Explore says which days are unlike the others, and which key and model made them so.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ApiKeyId, newId } from "@turnpike/base";
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

type Calls = { readonly keyId: string; readonly day: string; readonly model: string };

async function addKey(accountId: string, name: string): Promise<ApiKeyId> {
  const id = newId<ApiKeyId>();
  await owner.sql`insert into api_keys (account_id, id, name, hash, masked)
    values (${accountId}, ${id}, ${name}, ${Buffer.from(id)}, 'masked')`;
  return id;
}

async function addCalls(accountId: string, { keyId, day, model }: Calls, count: number) {
  await owner.sql`
    insert into requests (account_id, id, key_id, state, origin, model, status, error_code, placed_at, ended_at)
    select ${accountId}, overlay(uuid7_floor(at)::text placing substr(gen_random_uuid()::text, 25) from 25)::uuid,
           ${keyId}, 'refused', 'api', ${model}, 402, 'insufficient_funds', at, at
      from (select ${`${day}T12:00:00Z`}::timestamptz + n * interval '1 second' as at
              from generate_series(1, ${count}::int) n) x`;
}

test("a day unlike the others is explained by the key and the model that differ most", async () => {
  const member = await bed.addMember();
  const steady = await addKey(member.accountId, "steady");
  const busy = await addKey(member.accountId, "busy");
  for (let day = 1; day <= 9; day += 1) {
    const at = `2026-10-0${day}`;
    await addCalls(member.accountId, { keyId: steady, day: at, model: "a/large" }, 20);
    const count = day === 6 ? 60 : 2;
    await addCalls(member.accountId, { keyId: busy, day: at, model: "a/small" }, count);
  }
  const input = {
    from: "2026-10-01T00:00:00Z",
    to: "2026-10-10T00:00:00Z",
    timeZone: "UTC",
    measure: "requests",
    rows: "key",
    columns: "model",
  };
  const found = await callProcedure("usage.explore", await bed.contextOf(member), input);
  expect(found).toMatchObject({
    value: {
      total: "256",
      bucket: "day",
      by: "key",
      columns: [{ id: "a/large" }, { id: "a/small" }],
      rows: [
        { id: steady, label: "steady", total: "180", requests: 180, cells: ["180", "0"] },
        { id: busy, label: "busy", total: "76", requests: 76, cells: ["0", "76"] },
      ],
      unusual: [
        {
          at: "2026-10-06T00:00:00.000Z",
          value: "80",
          usual: "22",
          key: { id: busy, label: "busy", value: "60", usual: "2" },
          model: { id: "a/small", value: "60", usual: "2" },
        },
      ],
    },
  });
  const rate = await callProcedure("usage.explore", await bed.contextOf(member), {
    ...input,
    measure: "errorRate",
    columns: undefined,
  });
  expect(rate).toMatchObject({ value: { total: "1", columns: [], unusual: [] } });
});

test("keys beyond those with a row or a color of their own are one Other", async () => {
  const member = await bed.addMember();
  for (let place = 1; place <= 13; place += 1) {
    const keyId = await addKey(member.accountId, `key ${place}`);
    await addCalls(member.accountId, { keyId, day: "2026-10-02", model: "a/large" }, place);
  }
  const found = await callProcedure("usage.explore", await bed.contextOf(member), {
    from: "2026-10-01T00:00:00Z",
    to: "2026-10-08T00:00:00Z",
    timeZone: "UTC",
    measure: "requests",
    rows: "model",
    columns: "key",
  });
  const names = Array.from({ length: 12 }, (_, place) => ({ label: `key ${13 - place}` }));
  expect(found).toMatchObject({
    value: { total: "91", columns: [...names, { id: null, label: "Other" }] },
  });
  const byKey = await callProcedure("usage.explore", await bed.contextOf(member), {
    from: "2026-10-01T00:00:00Z",
    to: "2026-10-08T00:00:00Z",
    timeZone: "UTC",
    measure: "requests",
    rows: "key",
  });
  const series = [...names.slice(0, 6), { id: null, label: "Other", value: "28" }];
  expect(byKey).toMatchObject({
    value: { series: [{ groups: [] }, { groups: series }, ...Array(5).fill({ groups: [] })] },
  });
});

test("rows and columns are two dimensions", async () => {
  const member = await bed.addMember();
  const input = { from: "2026-10-01T00:00:00Z", to: "2026-10-02T00:00:00Z", timeZone: "UTC" };
  const same = { ...input, measure: "spend", rows: "key", columns: "key" };
  const outcome = await callProcedure("usage.explore", await bed.contextOf(member), same);
  expect(outcome).toMatchObject({ ok: false });
});
