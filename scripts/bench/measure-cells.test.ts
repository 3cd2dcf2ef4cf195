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
import { type CellKind, measureCells, totalOf } from "./measure-cells.ts";
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

/** A machine that is busy all the while adds cells to each window, so that only a figure found three times counts. */
const roundsMax = 3;

test("a call and an event allocate no more heap cells than their budgets, and every call is billed", async () => {
  const keys = await fundAccounts(database.ownerUrl, 64);
  const postgres = { appUrl: database.url, ownerUrl: database.ownerUrl };
  const bill = new Bill();
  const fewest = new Map<CellKind, number>();
  const isAbove = (kind: CellKind) =>
    (fewest.get(kind) ?? Number.POSITIVE_INFINITY) > budgetOf(kind);
  const aboveBudget = () => [...fewest].filter(([kind]) => isAbove(kind));
  for (let round = 0; round < roundsMax && (round === 0 || aboveBudget().length > 0); round += 1) {
    for (const [kind, cells] of await measureCells({ folder, postgres, keys, bill }, isAbove)) {
      const total = totalOf(cells);
      console.log(
        `${kind}: ${total.toFixed(1)} cells, ${JSON.stringify(Object.fromEntries(cells))}`,
      );
      // Events of a spliced stream that arrive together allocate next to nothing, in which noise can be below zero; each
      // other kind allocates far more than nothing, so that a figure near zero would mean that nothing was counted.
      const isCounted = kind === "event openai" || total > budgetOf(kind) / 6;
      expect({ kind, isCounted }).toEqual({ kind, isCounted: true });
      fewest.set(kind, Math.min(total, fewest.get(kind) ?? total));
    }
  }
  expect(aboveBudget()).toEqual([]);
  expect((await verifyLedger(database.ownerUrl, bill)).proven).toBe(true);
});
