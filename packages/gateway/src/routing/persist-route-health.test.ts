// What a process knows of its routes reaches the database, even if the first attempt to write it failed.
import { expect, test } from "bun:test";
import { type AccountId, newId } from "@turnpike/base";
import { connectDatabase } from "@turnpike/db";
import { createLog, createMetrics } from "@turnpike/telemetry";
import { createTestDatabase } from "@turnpike/testing";
import { persistRouteHealth } from "./persist-route-health.ts";

async function open() {
  const database = await createTestDatabase();
  const owner = connectDatabase({ url: database.ownerUrl, max: 1 });
  const app = connectDatabase({ url: database.url, max: 2 });
  const metrics = createMetrics();
  const failure = Promise.withResolvers<void>();
  const destination = {
    write(line: string) {
      if (line.includes("permission denied")) failure.resolve();
    },
  };
  const log = createLog({ level: "warn", name: "test", destination });
  const kept = await persistRouteHealth({ db: app.db, log, metrics, saveEveryMs: 20 });
  return {
    kept,
    sql: owner.sql,
    failed: failure.promise,
    /** What a process that starts now knows. */
    async restored() {
      const next = await persistRouteHealth({ db: app.db, log, metrics });
      await next.close();
      return next.book;
    },
    async close() {
      await kept.close();
      metrics.close();
      await Promise.all([owner.close(), app.close()]);
      await database.drop();
    },
  };
}

test("what could not be written is written again, although it has not changed meanwhile", async () => {
  const { kept, sql, failed, close } = await open();
  try {
    await sql`revoke insert on route_health from turnpike_app`;
    kept.book.find("p", "m").succeeded(newId<AccountId>(), performance.now(), 12);
    await failed;
    await sql`grant insert on route_health to turnpike_app`;
    let rows: readonly unknown[] = [];
    while (rows.length === 0) {
      rows = await sql`select first_byte_ms from route_health where provider = 'p'`;
    }
    expect([...rows]).toEqual([{ first_byte_ms: 12 }]);
  } finally {
    await close();
  }
});

test("a route that changes while it is being written ends with its newest state in the database", async () => {
  const { kept, sql, close } = await open();
  try {
    const health = kept.book.find("p", "m");
    for (let round = 0; round < 20; round += 1) {
      for (let call = 0; call < 5; call += 1) {
        health.failed("connect", newId<AccountId>(), performance.now(), undefined);
      }
      health.succeeded(newId<AccountId>(), performance.now(), undefined);
    }
    await kept.close();
    const rows = await sql`select open_until from route_health where provider = 'p'`;
    expect([...rows]).toEqual([{ open_until: null }]);
  } finally {
    await close();
  }
});

test.each(["account", "model"] as const)(
  "a refusal of the operator's %s reaches the desk's table and the next process",
  async (refused) => {
    const { kept, sql, restored, close } = await open();
    try {
      const health = kept.book.find("p", "m");
      for (let call = 0; call < 3; call += 1) {
        health.failed(refused, newId<AccountId>(), performance.now(), undefined);
      }
      await kept.close();
      const rows = await sql`select credentials_refused, model_refused from route_health`;
      expect([...rows]).toEqual([
        { credentials_refused: refused === "account", model_refused: refused === "model" },
      ]);
      expect((await restored()).find("p", "m").refused).toBe(refused);
    } finally {
      await close();
    }
  },
);
