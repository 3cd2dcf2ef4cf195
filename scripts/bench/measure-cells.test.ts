// The budgets of the request path, against the real server with a real database: what a call allocates is counted, so
// that a busy machine does not change it.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { Bill } from "./bill.ts";
import { budgetOf } from "./cell-budgets.ts";
import { fundAccounts } from "./fund-accounts.ts";
import { measureCells, totalOf } from "./measure-cells.ts";
import { verifyLedger } from "./verify-ledger.ts";

setDefaultTimeout(600_000);

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), "turnpike-cells-"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await database.drop();
});

test("a call and an event allocate no more heap cells than their budgets, and every call is billed", async () => {
  const keys = await fundAccounts(database.ownerUrl, 64);
  const postgres = { appUrl: database.url, ownerUrl: database.ownerUrl };
  const bill = new Bill();
  const figures = await measureCells({ folder, postgres, keys, bill });
  for (const [kind, cells] of figures) {
    const total = totalOf(cells);
    console.log(`${kind}: ${total.toFixed(1)} cells, ${JSON.stringify(Object.fromEntries(cells))}`);
    // Far below it nothing would have been counted.
    expect({ kind, isCounted: total > budgetOf(kind) / 3 }).toEqual({ kind, isCounted: true });
    expect({ kind, isWithin: total <= budgetOf(kind) }).toEqual({ kind, isWithin: true });
  }
  expect((await verifyLedger(database.ownerUrl, bill)).proven).toBe(true);
});
