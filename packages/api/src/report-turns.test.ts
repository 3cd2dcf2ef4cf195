// What reads much of an account's rows goes through `report`, which gives each account its turn: with no
// other connection than that, these procedures still answer.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Connection, connectDatabase } from "@turnpike/db";
import { callProcedure, type Member, openTestApi, type TestApi } from "./open-test-api.fixture.ts";
import { samples } from "./walk-samples.fixture.ts";

let api: TestApi;
let ada: Member;
let nowhere: Connection;

beforeAll(async () => {
  api = await openTestApi();
  ada = await api.addMember();
  nowhere = connectDatabase({ url: "postgres://nobody@127.0.0.1:1/nothing" });
});
afterAll(async () => {
  await nowhere.close();
  await api.close();
});

test.each([
  "usage.read",
  "usage.groups",
  "usage.explore",
  "usage.forecast",
  "overview.read",
  "logs.list",
  "logs.detail",
  "logs.receipt",
  "wallet.summary",
  "wallet.ledger",
  "wallet.ledgerCsv",
  "keys.list",
  "keys.detail",
])("%s reads in its account's turn alone", async (name) => {
  const context = await api.contextOf(ada);
  const readers: string[] = [];
  const outcome = await callProcedure(
    name,
    {
      ...context,
      db: nowhere.db,
      report: (accountId, read) => {
        readers.push(accountId);
        return context.report(accountId, read);
      },
    },
    samples[name]?.input?.(ada.ownedIds),
  );
  expect(outcome).toMatchObject({ ok: true });
  expect(new Set(readers)).toEqual(new Set([ada.accountId]));
});
